import { execFileSync } from 'node:child_process';
import { cp, mkdir, readdir, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { root } from '@fixpoint/dev-stack/env.ts';

/**
 * Copies the checkout, so that its files may be changed. Links the libraries one by one, because `@fixpoint/*` must be the
 * packages of the copy.
 * @param copy folder of the copy; an existing one is replaced
 */
export async function copyCheckout(copy: string): Promise<void> {
  await rm(copy, { recursive: true, force: true });
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of files.split('\0').filter(Boolean)) {
    await mkdir(dirname(join(copy, file)), { recursive: true });
    await cp(join(root, file), join(copy, file)).catch(ignoreAbsent);
  }
  await linkLibraries(copy);
}

async function linkLibraries(copy: string): Promise<void> {
  await mkdir(join(copy, 'node_modules/@fixpoint'), { recursive: true });
  const [from, to] = [join(root, 'node_modules'), join(copy, 'node_modules')];
  for (const name of await readdir(from)) {
    if (name !== '@fixpoint') await symlink(join(from, name), join(to, name));
  }
  // Relative links (`../../packages/domain`) lead to the packages of the copy.
  await cp(join(from, '@fixpoint'), join(to, '@fixpoint'), { recursive: true, verbatimSymlinks: true });
  for (const folder of ['apps', 'packages']) {
    for (const name of await readdir(join(root, folder))) {
      const own = join(folder, name, 'node_modules');
      await symlink(join(root, own), join(copy, own)).catch(ignoreAbsent);
    }
  }
}

/** Git still lists a file whose deletion is not committed. */
function ignoreAbsent(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
