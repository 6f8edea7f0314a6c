import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { basicEnv, root } from '@fixpoint/dev-stack/env.ts';

/** What the agent's package is made of. */
const SOURCES = [
  ...['apps/agent', 'packages/contract/src', 'packages/domain/src', 'package-lock.json'],
  ...['scripts/agent-package.ts', 'scripts/debian-tree.ts', 'scripts/node-package.ts'],
];

/**
 * Version of the agent's package: that of the release, and as the build the time of the last commit that changed its sources.
 * So the same commit gives the same version, and a changed one a later one, which apt installs. With changes that are not
 * committed the build is the present time. Without git there is none.
 */
export async function agentVersion(folder = root, now = new Date()): Promise<string> {
  const { version } = JSON.parse(await readFile(join(folder, 'apps/agent/package.json'), 'utf8')) as {
    version: string;
  };
  const build = await buildOf(folder, now);
  return build ? `${version}+${build}` : version;
}

async function buildOf(folder: string, now: Date): Promise<string | undefined> {
  // Root may build in a checkout of another user.
  const git = (...args: string[]) =>
    promisify(execFile)('git', ['-c', 'safe.directory=*', ...args, '--', ...SOURCES], {
      cwd: folder,
      env: basicEnv(),
    }).then(({ stdout }) => stdout.trim());
  try {
    const changed = await git('status', '--porcelain');
    const at = changed ? now : new Date(Number(await git('log', '-1', '--format=%ct')) * 1000);
    return at.toISOString().slice(0, 19).replace(/\D/g, '');
  } catch {
    return undefined;
  }
}
