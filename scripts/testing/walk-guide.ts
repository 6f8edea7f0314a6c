import { commandsOf, type GuideCommand } from '@fixpoint/testkit/guides.ts';

/** Who runs a command, and where. */
export type Actor =
  | 'root of the shop'
  | 'root of the host'
  | 'root of another machine'
  | 'postgres of the shop'
  | 'postgres of the host';
/** What the test knows of a command that its text does not say. */
export type Rule = {
  by?: Actor;
  /** Exit codes that its page announces; 0 when not given. */
  ends?: readonly number[];
  /** Why it does not run here. */
  not?: string;
  /** Words that stand for something else in this command alone. */
  words?: Record<string, string>;
};
export type Guide = {
  page: string;
  /** What some commands need, by their beginning. */
  rules?: Record<string, Rule>;
  /** What the reader has done before a section, by its title ('' before the first). Words that it returns hold in the section alone. */
  before?: Record<string, () => Promise<unknown>>;
  /** What the reader takes from the answer of a command, by its beginning. */
  heard?: Record<string, (said: string) => Promise<void> | void>;
  /** Sections that another walk takes. */
  without?: readonly string[];
  /** The only sections of this walk. */
  only?: readonly string[];
};
/** Runs a script by bash. @returns its output with its errors @throws when it ends with another code than 0 */
export type Run = (by: Actor, script: string) => Promise<string>;
export type Walked = { ran: number; left: Map<string, string[]>; said: Map<string, string> };

type Ready = { line: string; rule: Rule; typed: string };

const MARK = '@@ended';

/** Replaces the words of a reader that stand for something. */
const withWords = (text: string, words: Record<string, string>): string =>
  Object.entries(words).reduce(
    (so, [word, value]) =>
      so.replaceAll(new RegExp(`(?<![\\w-])${word.replace(/[.*?]/g, '\\$&')}(?![\\w])`, 'g'), () => value),
    text,
  );

function ruleOf({ rules = {} }: Guide, { line }: GuideCommand): Rule {
  // The longest beginning says most.
  const [found] = Object.keys(rules)
    .filter(beginning => line.startsWith(beginning))
    .sort((a, b) => b.length - a.length);
  return rules[found ?? ''] ?? {};
}

/** One command of a script that stays in one shell, so that its folder and its variables stay too. 1 is judged by what it says. */
const step = (line: string, ends: readonly number[]): string =>
  `{ ${line}\n}\ncode=$?\nprintf '\\n${MARK} %s\\n' $code\ncase $code in ${[...ends, 1].join('|')}) ;; *) exit 99 ;; esac`;

/**
 * Runs the commands of a page in their order, each block in a shell of its own, as its reader would. A command that shows a plan
 * first is repeated as it says.
 */
export async function walkGuide(guide: Guide, words: Record<string, string>, run: Run): Promise<Walked> {
  const walked: Walked = { ran: 0, left: new Map(), said: new Map() };
  const commands = commandsOf(guide.page);
  for (const beginning of Object.keys(guide.rules ?? {}))
    if (!commands.some(({ line }) => line.startsWith(beginning)))
      throw new Error(`${guide.page} has no command that begins with: ${beginning}`);
  const blocks = Map.groupBy(
    commands.filter(({ section: title }) => guide.only?.includes(title) ?? !guide.without?.includes(title)),
    ({ block }) => block,
  );
  let section: string | undefined;
  let own: unknown = {};
  for (const block of blocks.values()) {
    if (block[0]!.section !== section) {
      section = block[0]!.section;
      own = (await guide.before?.[section]?.()) ?? {};
    }
    const known = typeof own === 'object' ? { ...words, ...own } : words;
    await walkBlock(guide, block, known, run, walked);
  }
  return walked;
}

async function walkBlock(
  guide: Guide,
  block: readonly GuideCommand[],
  words: Record<string, string>,
  run: Run,
  walked: Walked,
): Promise<void> {
  const ready: Ready[] = [];
  for (const command of block) {
    const rule = ruleOf(guide, command);
    if (rule.not) walked.left.set(rule.not, [...(walked.left.get(rule.not) ?? []), command.line]);
    else
      ready.push({ line: command.line, rule, typed: withWords(command.line, { ...words, ...rule.words }) });
  }
  // One shell for those that follow each other at one place.
  let first = 0;
  for (let n = 1; n <= ready.length; n++) {
    if (ready[n] && ready[n]!.rule.by === ready[first]!.rule.by) continue;
    await type(guide, block[0]!.section, ready.slice(first, n), run, walked);
    first = n;
  }
}

/** Types commands into one shell, and judges how each ended. */
async function type(
  guide: Guide,
  section: string,
  ready: readonly Ready[],
  run: Run,
  walked: Walked,
): Promise<void> {
  const by = ready[0]!.rule.by ?? 'root of the shop';
  const script = ready.map(({ typed, rule }) => step(typed, rule.ends ?? [0])).join('\n');
  const where = `${guide.page}, ${section}, ${by}`;
  const said = await run(by, script).catch((error: Error) => {
    throw new Error(`${where}:\n${ready.map(({ typed }) => typed).join('\n')}\n${error.message}`);
  });
  const answersOf = (text: string) => text.split(new RegExp(`^${MARK} (\\d+)\\n`, 'm'));
  const answers = answersOf(said);
  for (const [n, { line, typed, rule }] of ready.entries()) {
    const ends = rule.ends ?? [0];
    const [planned = '', first] = answers.slice(2 * n);
    // Without a terminal it does not ask, and names the plan.
    const again = / (--confirm \S+)/.exec(planned)?.[1];
    const [answer = '', code = first] = again
      ? answersOf(await run(by, step(`${typed} ${again}`, ends)))
      : [];
    const whole = `${planned}${answer}`;
    if (!ends.includes(Number(code))) throw new Error(`${where}: ${typed}: ended with ${code}:\n${whole}`);
    walked.ran += 1;
    walked.said.set(line, whole);
    for (const [beginning, hear] of Object.entries(guide.heard ?? {}))
      if (line.startsWith(beginning)) await hear(whole);
  }
}
