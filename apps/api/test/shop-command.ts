import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { databaseSettings } from '@fixpoint/postgres/roles.ts';
import type { TestShop } from '@fixpoint/testkit/shop.ts';
import { compileCache } from '../../../scripts/env.ts';

const program = fileURLToPath(new URL('../src/cli.ts', import.meta.url));

/** The operator's program in a process of its own. @throws Error with `code`, `stdout` and `stderr` when it fails */
export const runCommand = (env: Record<string, string>, ...args: string[]) =>
  promisify(execFile)(process.execPath, [program, ...args], {
    env: { NODE_COMPILE_CACHE: compileCache, ...env },
  });

/** What `npm run shop -- …` does: the operator's command in a process of its own, on the database and providers of a shop. */
export const shopCommand = async (
  {
    databaseUrls,
    sandbox,
    url,
    agentSocket,
  }: Pick<TestShop, 'databaseUrls' | 'sandbox' | 'url' | 'agentSocket'>,
  ...args: string[]
): Promise<{ code: number; stdout: string; stderr: string }> => {
  const env = {
    ...databaseSettings(databaseUrls),
    MASTER_KEY_FILE: join(dirname(agentSocket), 'master.key'),
    ...sandbox.settings,
    PUBLIC_URL: url,
  };
  return runCommand(env, ...args).then(
    said => ({ code: 0, ...said }),
    ({ code, stdout, stderr }) => ({ code: Number(code ?? 0), stdout, stderr }),
  );
};
