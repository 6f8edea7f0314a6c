import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

/** Most that are counted. */
const MOST = 100_000;

/** Renewals whose next step is due and not done. The scheduled task takes them each minute. */
export async function overdueRenewals(db: Db, now: Date): Promise<number> {
  const { rows } = await sql<{ due: number }>`
    select count(*)::int as due from (select from subscription where due_at <= ${now} limit ${MOST}) due`.execute(
    db,
  );
  return rows[0]!.due;
}
