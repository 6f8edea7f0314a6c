import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '@fixpoint/dev-stack/env.ts';
import { isExact, type Locked, nameOf, problemsOf } from './supply-rules.ts';

/** Checks that manifests name exact versions, that the lock file agrees, and that it pins each package by hash (S84). */
type Dependencies = Record<string, string>;
interface Manifest {
  dependencies?: Dependencies;
  devDependencies?: Dependencies;
  optionalDependencies?: Dependencies;
}
const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;
const read = async <T>(path: string) => JSON.parse(await readFile(join(root, path), 'utf8')) as T;

const { packages } = await read<{ packages: Record<string, Manifest & Locked> }>('package-lock.json');
const { allowScripts } = await read<{ allowScripts: Record<string, boolean> }>('package.json');
const problems: string[] = [];
for (const [path, locked] of Object.entries(packages)) {
  if (path.includes('node_modules/')) {
    problems.push(...problemsOf(nameOf(path), locked, allowScripts));
    continue;
  }
  const manifest = await read<Manifest>(join(path, 'package.json'));
  for (const kind of kinds) {
    const wanted = manifest[kind] ?? {};
    const known = locked[kind] ?? {};
    for (const name of new Set([...Object.keys(wanted), ...Object.keys(known)])) {
      if (wanted[name] !== known[name]) {
        problems.push(
          `${path || 'package.json'}: ${name} is ${wanted[name]}, but ${known[name]} in the lock file; run npm install`,
        );
      }
      if (wanted[name] && !isExact(wanted[name]))
        problems.push(`${path}: ${name} ${wanted[name]} is not an exact version`);
    }
  }
}
for (const problem of problems) console.error(problem);
console.log(`${Object.keys(packages).length} packages`);
if (problems.length > 0) process.exit(1);
