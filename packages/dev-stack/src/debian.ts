import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { basicEnv } from './env.ts';

/** The programs that are not installed. */
export function missingPrograms(programs: string[]): string[] {
  const folders = [...(basicEnv().PATH ?? '').split(':'), '/usr/sbin', '/sbin'];
  return programs.filter(program => !folders.some(folder => existsSync(join(folder, program))));
}

/** Sentence with the command that installs missing programs. @param packages program → its package */
export function howToInstall(missing: string[], packages: Record<string, string>): string {
  const wanted = [...new Set(missing.map(program => packages[program] ?? program))];
  return `not installed: ${missing.join(', ')}; run: sudo apt-get install ${wanted.join(' ')}`;
}

/**
 * Installs the Debian packages of missing programs; only as root on Debian or a derivative.
 *
 * @param packages program → its package
 * @returns the programs that are still missing
 */
export async function installMissing(
  packages: Record<string, string>,
  show: (line: string) => void,
): Promise<string[]> {
  const missing = missingPrograms(Object.keys(packages));
  const canInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (missing.length === 0 || !canInstall) return missing;
  const wanted = [...new Set(missing.map(program => packages[program] ?? program))];
  show(`Installing the Debian packages ${wanted.join(', ')} (NO_INSTALL=1 prevents this) …`);
  const install = ['install', '--yes', '--no-install-recommends', '-qq', ...wanted];
  // Old package lists offer an old browser. A failed update is no error: the packages may be in the cache.
  await aptGet(['update', '-qq']);
  await aptGet(install);
  const still = missingPrograms(missing);
  if (still.length > 0) show(`apt-get could not install them; still missing: ${still.join(', ')}`);
  return still;
}

function aptGet(args: string[]): Promise<boolean> {
  const env = { ...basicEnv(), DEBIAN_FRONTEND: 'noninteractive' };
  const child = spawn('apt-get', args, { env, stdio: 'ignore' });
  return new Promise(resolve => {
    child.once('error', () => resolve(false));
    child.once('exit', code => resolve(code === 0));
  });
}
