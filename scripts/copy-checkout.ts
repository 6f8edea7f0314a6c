import { execFileSync } from 'node:child_process';
import { cp, mkdir, readdir, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { root } from '@fixpoint/dev-stack/env.ts';

/**
 * A copy of the checkout, whose files may be changed. Libraries are those of the checkout; our own packages are the copy's,
 * which is why the libraries are linked one by one.
 * @param copy its folder, which is made again
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
  // Links themselves (`../../packages/domain`): in the copy they lead to the copy.
  await cp(join(from, '@fixpoint'), join(to, '@fixpoint'), { recursive: true, verbatimSymlinks: true });
  for (const folder of ['apps', 'packages']) {
    for (const name of await readdir(join(root, folder))) {
      const own = join(folder, name, 'node_modules');
      await symlink(join(root, own), join(copy, own)).catch(ignoreAbsent);
    }
  }
}

/** A file that was deleted and not committed yet. */
function ignoreAbsent(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
