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

/** How many changes were made and noticed; `unnoticed` names the others, one line each. */
export type Score = { mutants: number; noticed: number; unnoticed: string[] };

const NOTICED = ['Killed', 'Timeout'];
const UNNOTICED = ['Survived', 'NoCoverage'];

export function readMutants({ files }: MutationReport): Score {
  const score: Score = { mutants: 0, noticed: 0, unnoticed: [] };
  for (const [path, { source, mutants }] of Object.entries(files)) {
    for (const mutant of mutants) {
      if (NOTICED.includes(mutant.status)) score.noticed += 1;
      else if (UNNOTICED.includes(mutant.status)) score.unnoticed.push(lineOf(path, source, mutant));
      else continue;
      score.mutants += 1;
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
export const percent = ({ mutants, noticed }: Pick<Score, 'mutants' | 'noticed'>): number =>
  mutants === 0 ? 100 : Math.floor((100 * noticed) / mutants);

const ROW = /^\| (\w+) \| (\d+) \| (\d+) \| \d+ % \|$/gm;

/** The page of scores: rows that were measured now, and those of the page before for the others. */
export function scorePage(before: string, measured: Record<string, Score>, order: readonly string[]): string {
  const rows = new Map<string, { mutants: number; noticed: number }>();
  for (const [, area, mutants, noticed] of before.matchAll(ROW))
    rows.set(area!, { mutants: Number(mutants), noticed: Number(noticed) });
  for (const [area, score] of Object.entries(measured)) rows.set(area, score);
  const lines = order.flatMap(area => {
    const row = rows.get(area);
    return row ? [`| ${area} | ${row.mutants} | ${row.noticed} | ${percent(row)} % |`] : [];
  });
  return `<!-- Made by \`npm run mutants\`; do not edit. -->
# Changes that a test notices

Rules are changed one by one (a limit by one, a condition the other way round, a step left out). What no test notices, no
test holds. An area without a row has not been measured.

| area | changes | noticed | score |
|---|---|---|---|
${lines.join('\n')}
`;
}
