import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { databaseSettings } from '@fixpoint/postgres/roles.ts';
import type { TestShop } from '@fixpoint/testkit/shop.ts';
import { compileCache } from '../../../scripts/env.ts';

const program = fileURLToPath(new URL('../src/cli.ts', import.meta.url));

/** What `npm run shop -- …` does: the operator's command in a process of its own, on the database and providers of a shop. */
export const shopCommand = (
  {
    databaseUrls,
    sandbox,
    url,
    agentSocket,
  }: Pick<TestShop, 'databaseUrls' | 'sandbox' | 'url' | 'agentSocket'>,
  ...args: string[]
): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise(resolve => {
    const env = {
      NODE_COMPILE_CACHE: compileCache,
      ...databaseSettings(databaseUrls),
      MASTER_KEY_FILE: join(dirname(agentSocket), 'master.key'),
      ...sandbox.settings,
      PUBLIC_URL: url,
    };
    execFile(process.execPath, [program, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
