import { sql } from 'kysely';
import type { Db } from '../../../ports/database.ts';

export type RecentAttempts = {
  method: string;
  /** `failed`: its cause is beside it. */
  status: string;
  cause: string;
  /** A renewal that was charged without its customer. */
  unattended: boolean;
  attempts: number;
};

/**
 * Attempts of each method begun between two instants, by outcome, cause of a failure, and whether their customer was there.
 * Both ends are given, because a generic plan takes an open range for a third of the table and reads all of it.
 */
export async function recentAttempts(db: Db, since: Date, until: Date): Promise<RecentAttempts[]> {
  const { rows } = await sql<RecentAttempts>`
    select method, status, coalesce(failure, '') as cause, unattended, count(*)::int as attempts
    from attempt
    where method in ('card', 'paypal', 'bitcoin', 'promptpay') and created_at > ${since} and created_at <= ${until}
    group by 1, 2, 3, 4`.execute(db);
  return rows;
}
