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

/** Attempts of each method begun since an instant, by outcome, cause of a failure, and whether their customer was there. */
export async function recentAttempts(db: Db, since: Date): Promise<RecentAttempts[]> {
  const { rows } = await sql<RecentAttempts>`
    select method, status, coalesce(failure, '') as cause, unattended, count(*)::int as attempts
    from attempt
    where method in ('card', 'paypal', 'bitcoin', 'promptpay') and created_at > ${since}
    group by 1, 2, 3, 4`.execute(db);
  return rows;
}
