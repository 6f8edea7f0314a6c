/** Part of Stryker's report (mutation-testing-report-schema). */
export type MutationReport = {
  files: Record<string, { source: string; mutants: Mutant[] }>;
};
type Position = { line: number; column: number };
type Mutant = {
  status: string;
  /** Its code runs when the file is loaded, before any test. */
  static?: boolean;
  mutatorName: string;
  replacement?: string;
  location: { start: Position; end: Position };
};

/** Numbers of mutants in all, tried and killed (`noticed`); `unnoticed` has a line for each survivor. */
export type Score = Counts & { unnoticed: string[] };
type Counts = { mutants: number; tried: number; noticed: number };

/** Status of a mutant outside the sample: the only one that a Stryker checker can set. */
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
  const untried = status === 'NoCoverage' ? ' (no test covers it)' : '';
  return `${path}:${start.line}: ${short(lines.join('\n'))} → ${short(replacement)}${untried}`;
}

/** Score in per cent, rounded down. */
export const percent = ({ tried, noticed }: Pick<Score, 'tried' | 'noticed'>): number =>
  tried === 0 ? 100 : Math.floor((100 * noticed) / tried);

const ROW = /^\| (\w+) \| (\d+) \| (\d+) \| (\d+) \| \d+ % \|$/gm;

/** The page of scores: new rows, and the previous rows of areas that were not measured. */
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
# Mutation scores

Stryker changes the code of an area, one mutant at a time (a limit by one, an inverted condition, a removed statement), and runs
its tests. A surviving mutant is a rule that no test checks. Areas without a row have not been measured. Where fewer mutants
were tried than there are, the tried ones are a random sample with a fixed seed, and the score is that of the sample.

In the modules of the API names and texts are not mutated (any query would fail, which says nothing about rules), nor constants
that are computed when their file is loaded.

The survivors in \`domain\` were reviewed one by one and are of these kinds:

- The result is the same: a limit where both sides give the same answer, a check that only the types require, the later of two
  moments whose order today's figures always give.
- The case cannot happen: an unknown command, two keys with one ID.
- Only time is lost: a quick check before the exact one, a text that is cut before it is read.
- The search for logs finds a little more than it must.
- One of many words of a list, such as codes of banks, of which one of each kind is tested.

| area | mutants | tried | killed | score |
|---|---|---|---|---|
${lines.join('\n')}
`;
}
