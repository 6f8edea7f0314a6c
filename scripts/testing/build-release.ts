import { execFile } from 'node:child_process';
import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '@fixpoint/dev-stack/env.ts';

const run = promisify(execFile);

/** Runs `npm run release` in a checkout, without its installation. @param folder of the key */
export const releaseCommand = (checkout: string, folder: string, to: string): [string, ...string[]] => [
  process.execPath,
  join(checkout, 'scripts/release.ts'),
  ...['--dirty', '--arch', process.arch, '--key', join(folder, 'key'), '--folder', to],
];

/**
 * Builds a release into `folder/dist`, signed with the key `key` of the folder; `other` is the key of a stranger. RELEASE_FOLDER
 * names one that was built before, with its keys.
 */
export async function buildRelease(folder: string) {
  const dist = join(folder, 'dist');
  const { RELEASE_FOLDER: before } = process.env;
  if (before) await cp(before, folder, { recursive: true });
  for (const name of before ? [] : ['key', 'other'])
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', join(folder, name)]);
  const [program, ...args] = releaseCommand(root, folder, dist);
  if (!before) await run(program, args);
  return {
    dist,
    fileOf: async (pattern: RegExp): Promise<string> =>
      join(dist, (await readdir(dist)).find(name => pattern.test(name))!),
  };
}
