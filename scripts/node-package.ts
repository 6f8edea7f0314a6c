import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { StartError } from '@fixpoint/dev-stack/child.ts';
import { root } from '@fixpoint/dev-stack/env.ts';

const run = promisify(execFile);

/**
 * Calls `use` with the folder of the pinned Node for Linux. @see withPackage
 * @param arch architecture, as Node names it
 */
export const withNode = <T>(
  arch: string,
  folder: string,
  use: (node: string) => Promise<T>,
  checkout = root,
): Promise<T> => withPackage(`node-linux-${arch}`, folder, use, checkout);

/**
 * Calls `use` with the folder of a package. npm only installs those for this machine's architecture; another one is fetched
 * and compared with its hash in the lock file.
 *
 * @param folder for temporary files during `use`
 * @param checkout whose lock file and packages are used
 * @throws StartError when there is no such package, npm cannot fetch it, or its hash differs
 */
export async function withPackage<T>(
  name: string,
  folder: string,
  use: (path: string) => Promise<T>,
  checkout = root,
): Promise<T> {
  const installed = join(checkout, 'node_modules', name);
  if (existsSync(installed)) return use(installed);
  const lock = JSON.parse(await readFile(join(checkout, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string; integrity: string }>;
  };
  const pinned = lock.packages[`node_modules/${name}`];
  if (!pinned) throw new StartError(`There is no package ${name} in package-lock.json.`);
  await mkdir(folder, { recursive: true });
  const at = await mkdtemp(join(folder, 'package-'));
  try {
    await run('npm', ['pack', `${name}@${pinned.version}`, '--pack-destination', at], {
      cwd: checkout,
    }).catch(() => {
      throw new StartError(`npm could not fetch ${name}. Is the network there? (npm config get registry)`);
    });
    const packed = join(at, `${name.replace('@', '').replace('/', '-')}-${pinned.version}.tgz`);
    const digest = createHash('sha512')
      .update(await readFile(packed))
      .digest('base64');
    if (`sha512-${digest}` !== pinned.integrity)
      throw new StartError(`${name} of the registry does not have the hash of package-lock.json.`);
    await run('tar', ['-xzf', packed, '-C', at]);
    return await use(join(at, 'package'));
  } finally {
    await rm(at, { recursive: true });
  }
}
