import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '@fixpoint/dev-stack/env.ts';

/** Folders of the source code. */
export const sources = ['packages', 'testkit', 'apps', 'scripts', 'e2e', 'bench'];

/** Files below a folder whose path matches `ending`, without installed and built ones. */
export async function filesBelow(folder: string, ending: RegExp): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
  const nested = entries
    .filter(entry => !['node_modules', 'dist', '.cache'].includes(entry.name))
    .map(entry => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return filesBelow(path, ending);
      return ending.test(path) ? [path] : [];
    });
  return (await Promise.all(nested)).flat();
}
