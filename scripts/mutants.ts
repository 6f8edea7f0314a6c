import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join, matchesGlob } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '@fixpoint/dev-stack/env.ts';
import { copyCheckout } from './copy-checkout.ts';
import { type Area, areas } from './mutants/areas.ts';
import { measure } from './mutants/measure.ts';
import { percent, type Score, scorePage } from './mutants/score.ts';

/*
 * `npm run mutants -- [AREA …] [--since REF | --share 0.3]` is mutation testing: changes the code of an area one mutant at a
 * time and runs the tests. Prints surviving mutants, also to `.cache/mutants/<area>.txt`, and writes the scores to
 * docs/generated/mutants.md. `--since` only mutates files that differ from REF, and writes no score; `--share` tries a sample
 * of an API module. Results are cached in `.cache/mutants/<area>.json`; delete that file to try all mutants again.
 */

/** Lowest score in per cent that passes. */
const MIN_SCORE = 85;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { since: { type: 'string' }, share: { type: 'string', default: '1' } },
});
const names = positionals.length > 0 ? positionals : Object.keys(areas);
for (const name of names) {
  if (areas[name]) continue;
  console.error(`There is no area "${name}". Choose from: ${Object.keys(areas).join(', ')}`);
  process.exit(64);
}

const share = Number(values.share);
if (!(share > 0 && share <= 1)) {
  console.error(`--share ${values.share} is not more than 0 and at most 1`);
  process.exit(64);
}

function changedFiles({ mutate }: Area, since: string): string[] {
  const diff = execFileSync('git', ['diff', '--name-only', '--diff-filter=d', since], {
    cwd: root,
    encoding: 'utf8',
  });
  return diff
    .split('\n')
    .filter(file => mutate.some(pattern => matchesGlob(file, pattern)) && !file.endsWith('.test.ts'));
}

const scores: Record<string, Score> = {};
for (const name of names) {
  const files = values.since === undefined ? undefined : changedFiles(areas[name]!, values.since);
  if (files?.length === 0) continue;
  const copy = join(root, '.cache/mutants', name);
  await copyCheckout(copy);
  const score = await measure(copy, name, areas[name]!, share, files);
  scores[name] = score;
  await writeFile(join(root, '.cache/mutants', `${name}.txt`), `${score.unnoticed.join('\n')}\n`);
  console.log(score.unnoticed.join('\n'));
  console.log(
    `${name}: ${score.noticed} of ${score.tried} mutants killed, ${percent(score)} %; ${score.mutants} in all\n`,
  );
}
if (values.since === undefined) {
  const page = join(root, 'docs/generated/mutants.md');
  const before = await readFile(page, 'utf8').catch(() => '');
  await writeFile(page, scorePage(before, scores, Object.keys(areas)));
}
if (Object.values(scores).some(score => percent(score) < MIN_SCORE)) process.exit(1);
