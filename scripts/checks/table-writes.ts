import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '@fixpoint/dev-stack/env.ts';
import { filesBelow } from './files.ts';
import { ownersOf, violations } from './table-write-rules.ts';

/* Checks that each part of the API writes only its own tables (H10). */

const read = (path: string) => readFile(join(root, path), 'utf8');

const migrations = await filesBelow('apps/api/migrations', /\.sql$/);
const { owners, faults } = ownersOf(await Promise.all(migrations.map(read)));
const problems = faults;
const files = (await filesBelow('apps/api/src', /\.ts$/)).filter(path => !path.endsWith('.test.ts'));
for (const path of files) problems.push(...violations(path, await read(path), owners));
for (const problem of problems) console.error(problem);
console.log(`${owners.size} tables of ${new Set(owners.values()).size} owners`);
if (problems.length > 0) process.exit(1);
