import { operationOf } from '@fixpoint/api/cli/areas.ts';
import { machineUsage } from '@fixpoint/api/cli/machine-usage.ts';
import { parseCommand } from '@fixpoint/api/cli/parse.ts';
import { spelledOut } from '@fixpoint/api/cli/spelling.ts';
import { alertKinds } from '@fixpoint/api/modules/alert/kinds.ts';
import { guides, readGuide, wordsOf } from '@fixpoint/testkit/guides.ts';
import { expect, test } from 'vitest';

/** Values for the placeholders of pages and remedies that have a form. */
const EXAMPLES: Record<string, string> = {
  AMOUNT: '50.00',
  CUSTOMER: 'cus_1',
  ENTRY: 'blk_1',
  LANG: 'en',
  PROVIDER: 'stripe',
  SUBSCRIPTION: 'sub_1',
};

type Named = { where: string; command: string; isWhole: boolean };

/** Commands of the shop that a text names; what it cuts short ends with …. */
const shopCommands = (where: string, text: string): Named[] =>
  Array.from(
    text
      .replaceAll('_…', '_1')
      .matchAll(/(`?)(?:npm run (?:--silent )?shop -- |(?<=`|^ *(?:sudo )?)fixpoint )([^`\n…]+)/gm),
    ([, mark, words = '']) => ({
      where,
      command: words.replace(/ [>|].*$|[.;]$/, '').trim(),
      isWhole: mark === '' && where.startsWith('docs/operate/'),
    }),
  ).filter(({ command }) => command !== 'COMMAND' && command !== '');

/** Whether a command is spelled as its help has it; a verb that is understood may be left out. */
function isPresent(words: readonly string[], spelled: readonly string[]): boolean {
  const [area, ...rest] = words;
  return [words, [area, spelled[1], ...rest]].some(form => form.join('\n') === spelled.join('\n'));
}

/** What the command line says of a documented command; undefined: it takes it. */
async function refusalOf({ command, isWhole }: Named): Promise<string | undefined> {
  const words = wordsOf(command).map(word => EXAMPLES[word] ?? word);
  const spelled = spelledOut(words);
  const [area = '', verb = '', ...more] = spelled;
  if (area === 'help' || machineUsage.some(usage => usage.area === area)) return undefined;
  const operation = operationOf(area, verb);
  if (!operation) return 'is no command';
  if (!isPresent(words, spelled)) return 'is an earlier spelling';
  // Files of the reader are not there. A sentence may name a command alone.
  const harmless = isWhole ? /cannot be read/ : /cannot be read|is missing$|KIND|SUBJECT/;
  return parseCommand(operation, more).then(
    () => undefined,
    ({ message }: Error) => (harmless.test(message) ? undefined : message),
  );
}

test('OP2 every command of the shop that a page or a remedy names is taken by the command line', async () => {
  const named = [
    ...guides().flatMap(page => shopCommands(page, readGuide(page))),
    ...Object.entries(alertKinds).flatMap(([kind, { remedy }]) => shopCommands(kind, remedy.join('\n'))),
  ];
  expect(named.length).toBeGreaterThan(150);
  const wrong: string[] = [];
  for (const each of named) {
    const refusal = await refusalOf(each);
    if (refusal) wrong.push(`${each.where}: ${each.command}: ${refusal}`);
  }
  expect(wrong).toEqual([]);
});
