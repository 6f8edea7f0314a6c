import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '@fixpoint/dev-stack/env.ts';
import { licencesOtherThan } from './installed-licences.ts';
import { type Locked, licenceProblems, licences } from './supply-rules.ts';

/* Checks that every package has an allowed licence (S84). */

const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>;
};
const refused = await licencesOtherThan(licences, root);
const problems = licenceProblems(lock.packages, refused, path => existsSync(join(root, path)));
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
