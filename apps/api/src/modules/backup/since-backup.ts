import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

/**
 * What a restore of an older backup must repeat: whose account was deleted, and which numbers are given.
 * @param all also the accounts that are erased already; otherwise those of the last day, which a backup does not have yet
 */
export async function sinceBackup(db: Db, now: Date, all: boolean) {
  const deleted = await db
    .selectFrom('customer')
    .select('id')
    // Literally, so that the index of these accounts serves.
    .where('status', '=', sql.lit('deleted'))
    .$if(!all, query => query.where('erase_at', 'is not', null))
    .execute();
  const series = await db.selectFrom('number_series').select(['series', 'last']).execute();
  return {
    at: now.toISOString(),
    deletedAccounts: deleted.map(({ id }) => id),
    numbers: Object.fromEntries(series.map(({ series: name, last }) => [name, last])),
  };
}
