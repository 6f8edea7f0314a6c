import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { migrate } from '@fixpoint/api/adapters/database/migrate.ts';
import { startPostgres } from '@fixpoint/postgres/postgres.ts';
import { root } from './env.ts';
import { tablesOf } from './tables/tables-of.ts';

/**
 * Writes `apps/api/src/ports/tables.ts` from the database that the migrations make, so that no type can say other than
 * the tables. `--check` only compares.
 */
const { values } = parseArgs({ options: { check: { type: 'boolean' } } });
const file = join(root, 'apps/api/src/ports/tables.ts');
const dataDir = await mkdtemp(join(tmpdir(), 'fixpoint-tables-'));
const postgres = await startPostgres({ dataDir, durable: false });
try {
  await migrate(postgres.url);
  const text = await tablesOf(postgres.url);
  if (!values.check) await writeFile(file, text);
  else if ((await readFile(file, 'utf8')) !== text) {
    console.error('apps/api/src/ports/tables.ts is not what the migrations make: npm run gen -- tables');
    process.exitCode = 1;
  }
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
