import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { shortened, urlOf } from '@fixpoint/postgres/address.ts';
import { basicEnv, givenEnv, readSettings, root } from './env.ts';

/** `npm run shop`: finds the database that `npm start` uses and hands the command to the API's own program. */
const { databaseUrl, dataDir, env } = readSettings(givenEnv());
const socket = await shortened(join(dataDir, 'postgres', 'run'), '.s.PGSQL.5432');
const { status } = spawnSync(
  process.execPath,
  [join(root, 'apps/api/src/cli.ts'), ...process.argv.slice(2)],
  {
    stdio: 'inherit',
    env: {
      ...basicEnv(),
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl ?? urlOf(socket.folder),
      ...(env.MASTER_KEY_FILE && { MASTER_KEY_FILE: env.MASTER_KEY_FILE }),
    },
  },
);
process.exitCode = status ?? 1;
