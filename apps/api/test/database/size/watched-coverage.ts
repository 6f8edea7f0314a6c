import { startTestShop } from '@fixpoint/testkit/shop.ts';
import { emptyShop } from '@fixpoint/testkit/size/empty.ts';
import { shopQueries } from '@fixpoint/testkit/size/query-rules.ts';
import { explainSettings, type Query, watchQueries } from '@fixpoint/testkit/size/watch-queries.ts';
import { sql } from 'kysely';
import { openDatabase } from '../../../src/database/database.ts';
import { invariants } from '../../../src/modules/books/check.ts';
import { coverAll } from './cover-all.ts';

type Database = Parameters<typeof startTestShop>[2] & object;

/**
 * Records the statements of a shop's calls, scheduled tasks and jobs on a filled database, with their plans under the roles
 * that run them. The database is empty afterwards.
 * @param settings of PostgreSQL that change its planning
 * @param runs how often everything runs
 */
export async function watchedCoverage(
  database: Database,
  settings: Record<string, string>,
  runs: number,
): Promise<Query[]> {
  const admin = openDatabase(database.url, 1);
  const name = new URL(database.url).pathname.slice(1);
  for (const [setting, value] of Object.entries({ ...explainSettings, ...settings })) {
    await sql.raw(`alter database ${name} set ${setting} = '${value}'`).execute(admin.db);
  }
  const watch = watchQueries();
  const shop = await startTestShop({ WITHDRAWAL: 'DE:full' }, undefined, database);
  try {
    for (let run = 1; run <= runs; run += 1) await coverAll(shop, String(run));
    return shopQueries(watch.queries.values(), new Set(invariants.map(invariant => invariant.sql)));
  } finally {
    watch.stop();
    await emptyShop(admin.db);
    await admin.close();
    await shop.stop();
  }
}
