import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '@fixpoint/dev-stack/env.ts';
import { filesBelow, sources } from './files.ts';
import { violations } from './source-rules.ts';
import { wordFaults } from './word-rules.ts';

const longFile = 350; // lines; a hint, not a failure

const below = await Promise.all(sources.map(folder => filesBelow(folder, /\.(ts|tsx|mjs)$/)));
const files = ['vitest.config.ts', ...below.flat()];
const problems: string[] = [];
for (const path of files) {
  const text = await readFile(join(root, path), 'utf8');
  problems.push(...violations(path, text), ...wordFaults(path, text));
  const length = text.split('\n').length;
  if (length > longFile) console.log(`hint: ${path} has ${length} lines; consider splitting it`);
}
for (const problem of problems) console.error(problem);
console.log(`${files.length} files`);
if (problems.length > 0) process.exit(1);
