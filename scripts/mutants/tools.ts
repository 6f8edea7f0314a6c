import { execFileSync } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '@fixpoint/dev-stack/env.ts';

/**
 * Installs Stryker at its first use, so that `npm run setup` need not install its 177 packages. It lies below the checkout,
 * where it finds Vitest.
 * @returns folder with its `node_modules`
 */
export async function tools(): Promise<string> {
  const folder = join(root, '.cache/mutants/tools');
  const ours = join(root, 'scripts/mutants/tools');
  const wanted = await readFile(join(ours, 'package-lock.json'), 'utf8');
  const installed = join(folder, 'node_modules/.installed');
  if ((await readFile(installed, 'utf8').catch(() => undefined)) === wanted) return folder;
  await mkdir(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) await cp(join(ours, file), join(folder, file));
  execFileSync('npm', ['ci', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: 'inherit',
  });
  await writeFile(installed, wanted);
  return folder;
}
