import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../env.ts';
import { violations } from './source-rules.ts';

const tooLong = 350; // lines; a hint, not a failure

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
  const nested = entries
    .filter(entry => !['node_modules', 'dist', '.cache'].includes(entry.name))
    .map(entry => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return filesBelow(path);
      return /\.(ts|tsx|mjs)$/.test(path) ? [path] : [];
    });
  return (await Promise.all(nested)).flat();
}

const folders = ['packages', 'apps', 'scripts', 'e2e', 'bench'];
const files = (await Promise.all(folders.map(filesBelow))).flat();
const problems: string[] = [];
for (const path of files) {
  const text = await readFile(join(root, path), 'utf8');
  problems.push(...violations(path, text));
  const length = text.split('\n').length;
  if (length > tooLong) console.log(`hint: ${path} has ${length} lines; smaller files say one thing`);
}
for (const problem of problems) console.error(problem);
console.log(`${files.length} files`);
if (problems.length > 0) process.exit(1);
