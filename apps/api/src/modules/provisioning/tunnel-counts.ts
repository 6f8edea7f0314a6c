import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

/** Subscriptions on hosts, by the state that their host reported last. */
export async function tunnelCounts(db: Db): Promise<Record<string, number>> {
  const { rows } = await sql<{ status: string; count: number }>`
    select status, count(*)::int from assignment group by status`.execute(db);
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}
