import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { root } from '@fixpoint/dev-stack/env.ts';
import { filesBelow } from './files.ts';
import { migrationFaults } from './migration-rules.ts';

/* Checks that each migration declares its kind, and that `expand` files do not break older versions. */

const paths = await filesBelow('apps/api/migrations', /\.sql$/);
const problems: string[] = [];
for (const path of paths)
  problems.push(...migrationFaults(basename(path), await readFile(join(root, path), 'utf8')));
for (const problem of problems) console.error(problem);
console.log(`${paths.length} migrations`);
if (problems.length > 0) process.exit(1);
