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
 * `npm run mutants -- [AREA …] [--since REF | --share 0.3]`: changes the rules of an area one by one and sees whether a
 * test notices. What none notices is printed and in `.cache/mutants/<area>.txt`; the scores go to docs/generated/mutants.md.
 * With `--since` only files that differ from REF are changed, and no score is written; with `--share` a sample of the
 * changes is tried, of an API module. What was found of one is kept in `.cache/mutants/<area>.json`, and tried again only
 * when it or a test of it has changed: to try all again, delete that file.
 */

/** Per cent; less is a failure. */
const LEAST = 85;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { since: { type: 'string' }, share: { type: 'string', default: '1' } },
});
const names = positionals.length > 0 ? positionals : Object.keys(areas);
for (const name of names) {
  if (areas[name]) continue;
  console.error(`There is no area "${name}". There is: ${Object.keys(areas).join(', ')}`);
  process.exit(64);
}

const share = Number(values.share);
if (!(share > 0 && share <= 1)) {
  console.error(`--share ${values.share} is none: more than 0, and 1 at most`);
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
    `${name}: ${score.noticed} of ${score.tried} changes noticed, ${percent(score)} %; there are ${score.mutants}\n`,
  );
}
if (values.since === undefined) {
  const page = join(root, 'docs/generated/mutants.md');
  const before = await readFile(page, 'utf8').catch(() => '');
  await writeFile(page, scorePage(before, scores, Object.keys(areas)));
}
if (Object.values(scores).some(score => percent(score) < LEAST)) process.exit(1);
