import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { databaseCommand } from '@fixpoint/api/cli/database.ts';
import { basicEnv, givenEnv, readSettings, root, type Settings } from '@fixpoint/dev-stack/env.ts';
import { localUrl, sandboxOf } from '@fixpoint/dev-stack/environment.ts';
import { operatorMessage } from '@fixpoint/dev-stack/operator-message.ts';
import { databaseSettings } from '@fixpoint/postgres/roles.ts';
import { databaseOf } from './running-shop.ts';

/** `npm run shop` runs an operator's command by the API's CLI, on the database that `npm start` uses. */
const [command, ...args] = process.argv.slice(2);
if (command === 'database' && !args.includes('--help')) process.exit(await databaseCommand(args, givenEnv()));

const shop = settings();
const { dataDir, realProviders, host, port, publicUrl, env } = shop;
const databaseUrls = await databaseOf(shop);
const { status } = spawnSync(
  process.execPath,
  [join(root, 'apps/api/src/cli.ts'), ...process.argv.slice(2)],
  {
    stdio: 'inherit',
    env: {
      ...basicEnv(),
      ...(realProviders ? {} : await sandboxOf(dataDir)),
      ...env,
      DATA_DIR: dataDir,
      // Where gateways reach the shop; the sandbox does so on this machine.
      PUBLIC_URL: realProviders ? publicUrl : localUrl({ host, port }),
      ...databaseSettings(databaseUrls),
      ...(env.MASTER_KEY_FILE && { MASTER_KEY_FILE: resolve(env.MASTER_KEY_FILE) }),
      ...(env.BACKUP_DIR && { BACKUP_DIR: resolve(root, env.BACKUP_DIR) }),
    },
    // The operator's folder: file arguments are relative to it.
    cwd: env.INIT_CWD,
  },
);
process.exitCode = status ?? 1;

function settings(): Settings {
  try {
    return readSettings(givenEnv());
  } catch (error) {
    process.stderr.write(`${operatorMessage(error) ?? (error as Error).stack}\n`);
    process.exit(1);
  }
}
