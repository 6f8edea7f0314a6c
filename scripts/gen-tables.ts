import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { migrate } from '@fixpoint/api/database/migrate.ts';
import { root } from '@fixpoint/dev-stack/env.ts';
import { rightsOf, rightsPage } from '@fixpoint/dev-stack/rights.ts';
import { startPostgres } from '@fixpoint/postgres/postgres.ts';
import { tablesOf } from './tables-of.ts';

/**
 * Runs the migrations on an empty database and writes the TypeScript types of its tables and the rights of its roles.
 * `--check` only compares.
 */
const { values } = parseArgs({ options: { check: { type: 'boolean' } } });
const dataDir = await mkdtemp(join(tmpdir(), 'fixpoint-tables-'));
const postgres = await startPostgres({ dataDir, durable: false });
try {
  await migrate(postgres.urls.owner);
  const made = {
    'apps/api/src/ports/tables.ts': await tablesOf(postgres.adminUrl),
    'docs/generated/rights.md': rightsPage(await rightsOf(postgres.adminUrl)),
  };
  for (const [path, text] of Object.entries(made)) {
    const file = join(root, path);
    if (!values.check) await writeFile(file, text);
    else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
      console.error(`${path} differs from the migrations. Run:\n  npm run gen -- tables`);
      process.exitCode = 1;
    }
  }
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
