import { execFileSync } from 'node:child_process';
import { root } from '@fixpoint/dev-stack/env.ts';
import { isSecretFile } from './supply-rules.ts';

/* Checks what Secretlint does not: names of secret files, and tracked files that `.gitignore` lists (S84). */

const list = (...options: string[]) =>
  execFileSync('git', ['ls-files', '-z', ...options], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter(Boolean);

const problems = [
  ...list()
    .filter(isSecretFile)
    .map(path => `${path}: keep secrets outside the checkout`),
  ...list('--cached', '--ignored', '--exclude-standard').map(
    path => `${path} is tracked although .gitignore lists it`,
  ),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
