/** What Stryker writes (mutation-testing-report-schema), as far as it is read here. */
export type MutationReport = {
  files: Record<string, { source: string; mutants: Mutant[] }>;
};
type Position = { line: number; column: number };
type Mutant = {
  status: string;
  mutatorName: string;
  replacement?: string;
  location: { start: Position; end: Position };
};

/** How many changes there are, were tried and noticed; `unnoticed` names the other ones that were tried, one line each. */
export type Score = Counts & { unnoticed: string[] };
type Counts = { mutants: number; tried: number; noticed: number };

/** What the status of a change says that was left out of a sample: Stryker's checkers know no other. */
export const UNDRAWN = 'CompileError';
const NOTICED = ['Killed', 'Timeout'];
const UNNOTICED = ['Survived', 'NoCoverage'];

export function readMutants({ files }: MutationReport): Score {
  const score: Score = { mutants: 0, tried: 0, noticed: 0, unnoticed: [] };
  for (const [path, { source, mutants }] of Object.entries(files)) {
    for (const mutant of mutants) {
      if (NOTICED.includes(mutant.status)) score.noticed += 1;
      else if (UNNOTICED.includes(mutant.status)) score.unnoticed.push(lineOf(path, source, mutant));
      else if (mutant.status !== UNDRAWN) continue;
      score.mutants += 1;
      if (mutant.status !== UNDRAWN) score.tried += 1;
    }
  }
  return score;
}

function lineOf(path: string, source: string, { status, replacement = '', location }: Mutant): string {
  const { start, end } = location;
  const lines = source.split('\n').slice(start.line - 1, end.line);
  lines[lines.length - 1] = lines.at(-1)!.slice(0, end.column - 1);
  lines[0] = lines[0]!.slice(start.column - 1);
  const short = (text: string) => text.replace(/\s+/g, ' ').slice(0, 80);
  const untried = status === 'NoCoverage' ? ' (no test comes here)' : '';
  return `${path}:${start.line}: ${short(lines.join('\n'))} → ${short(replacement)}${untried}`;
}

/** Per cent, rounded down: 85 is 85. */
export const percent = ({ tried, noticed }: Pick<Score, 'tried' | 'noticed'>): number =>
  tried === 0 ? 100 : Math.floor((100 * noticed) / tried);

const ROW = /^\| (\w+) \| (\d+) \| (\d+) \| (\d+) \| \d+ % \|$/gm;

/** The page of scores: rows that were measured now, and those of the page before for the others. */
export function scorePage(before: string, measured: Record<string, Score>, order: readonly string[]): string {
  const rows = new Map<string, Counts>();
  for (const [, area, mutants, tried, noticed] of before.matchAll(ROW))
    rows.set(area!, { mutants: Number(mutants), tried: Number(tried), noticed: Number(noticed) });
  for (const [area, score] of Object.entries(measured)) rows.set(area, score);
  const lines = order.flatMap(area => {
    const row = rows.get(area);
    if (!row) return [];
    return [`| ${area} | ${row.mutants} | ${row.tried} | ${row.noticed} | ${percent(row)} % |`];
  });
  return `<!-- Made by \`npm run mutants\`; do not edit. -->
# Changes that a test notices

Rules are changed one by one (a limit by one, a condition the other way round, a step left out). What no test notices, no
test holds. An area without a row has not been measured. Where fewer were tried than there are, those tried are a sample,
drawn by chance with a fixed seed, and the score is that of the sample.

In the modules of the API no name or text is changed (the first query to come by fails, which says nothing of the rules),
and no constant that is worked out once, as its file is loaded.

What goes unnoticed in \`domain\` was looked at one by one, and is of these kinds. The answer is the same: a limit at which
both sides say so, a question that only types want asked (nothing is never greater than something), the later of two moments
that today's figures always put in this order. It cannot happen: a command that there is not, two keys of one id. Only time
is lost: a first look before the close one, a text that is cut before it is read. The search for logs finds a little more
than it must. And it is one of many words of a list, such as the codes of banks, of which one of each sort is tried.

| area | changes | tried | noticed | score |
|---|---|---|---|---|
${lines.join('\n')}
`;
}
