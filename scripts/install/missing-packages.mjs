// Plain JavaScript for Node 20: see install.mjs.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Packages of the lock file that are missing in the checkout. Of optional packages only those of the root manifest for this
 * platform count (Node 24, PostgreSQL): npm silently skips an optional package that it cannot fetch.
 *
 * @param root folder of the checkout
 * @param packages of `package-lock.json`, by path
 */
export function missingPackages(root, packages) {
  const own = Object.keys(packages[''].optionalDependencies ?? {});
  const wanted = Object.entries(packages).filter(([path, locked]) => {
    if (!path.includes('node_modules/')) return false;
    if (!locked.optional && !locked.devOptional) return true;
    return own.some(name => path === `node_modules/${name}`) && isForHere(locked);
  });
  return wanted.map(([path]) => path).filter(path => !existsSync(join(root, path)));
}

const isForHere = ({ os, cpu }) =>
  (!os || os.includes(process.platform)) && (!cpu || cpu.includes(process.arch));
