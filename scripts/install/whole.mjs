// Plain JavaScript that runs on Node 20: see install.mjs.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Packages of the lock file that must be in the checkout and are not. Of the optional ones only our own for this platform
 * count (Node 24, PostgreSQL): npm leaves out what it cannot get and says nothing.
 *
 * @param root folder of the checkout
 * @param packages of `package-lock.json`, by their path
 */
export function absentPackages(root, packages) {
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
