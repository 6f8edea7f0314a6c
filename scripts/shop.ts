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
if (command === 'database') process.exit(await databaseCommand(args, givenEnv()));

const shop = settings();
const { dataDir, realProviders, host, port, publicUrl, env } = shop;
const given = Object.fromEntries(
  Object.entries(env).filter(([name]) => /^(STRIPE_|PAYPAL_|BTCPAY_|PROMPTPAY$)/.test(name)),
);
const backups = Object.fromEntries(
  Object.entries(env)
    .filter(([name]) => name.startsWith('BACKUP_'))
    .map(([name, value]) => [name, name === 'BACKUP_DIR' ? resolve(root, value) : value]),
);
const databaseUrls = await databaseOf(shop);
const { status } = spawnSync(
  process.execPath,
  [join(root, 'apps/api/src/cli.ts'), ...process.argv.slice(2)],
  {
    stdio: 'inherit',
    env: {
      ...basicEnv(),
      ...(realProviders ? given : await sandboxOf(dataDir)),
      DATA_DIR: dataDir,
      // Where gateways reach the shop; the sandbox does so on this machine.
      PUBLIC_URL: realProviders ? publicUrl : localUrl({ host, port }),
      ...databaseSettings(databaseUrls),
      ...(env.MASTER_KEY_FILE && { MASTER_KEY_FILE: resolve(env.MASTER_KEY_FILE) }),
      ...backups,
      ...(env.SALE_COUNTRY && { SALE_COUNTRY: env.SALE_COUNTRY }),
      ...(env.DEFAULT_CURRENCY && { DEFAULT_CURRENCY: env.DEFAULT_CURRENCY }),
      ...(env.METRICS_PORT && { METRICS_PORT: env.METRICS_PORT }),
      ...(env.METRICS_HOST && { METRICS_HOST: env.METRICS_HOST }),
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
