import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '@fixpoint/dev-stack/env.ts';
import { rulesOf } from '../requirements.ts';
import { citationsIn, faultsOfRules, violations } from './citation-rules.ts';
import { faultsOfDecisions } from './decision-rules.ts';
import { filesBelow, sources } from './files.ts';

/* Checks that every cited rule exists in docs/requirements, and the form and index of decision records. */

const read = (path: string) => readFile(join(root, path), 'utf8');

const pages = await filesBelow('docs/requirements', /\.md$/);
const ids = (await Promise.all(pages.map(read))).flatMap(rulesOf).map(([id]) => id);
const known = new Set(ids);

const found = await Promise.all(
  [...sources, 'docs'].map(folder => filesBelow(folder, /\.(tsx?|mjs|sql|css|md)$/)),
);
const files = [...found.flat(), 'README.md', 'CHANGELOG.md']
  // Its samples are mistakes.
  .filter(path => path !== 'scripts/checks/citation-rules.test.ts');

const problems = faultsOfRules(ids);
let citations = 0;
for (const path of files) {
  const text = await read(path);
  problems.push(...violations(path, text, known));
  if (!path.startsWith('docs/')) citations += citationsIn(path, text).length;
}
const decisions = (await filesBelow('docs/decisions', /\/\d{4}-[\w-]+\.md$/)).map(
  async path => [path.slice('docs/decisions/'.length), await read(path)] as const,
);
problems.push(
  ...faultsOfDecisions(new Map(await Promise.all(decisions)), await read('docs/decisions/README.md')),
);
for (const problem of problems) console.error(problem);
console.log(`${citations} citations of ${ids.length} rules`);
if (problems.length > 0) process.exit(1);
