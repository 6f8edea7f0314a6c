import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

/** What is tried for the ninth time has failed for some five to ten minutes. */
const FAILING_TRIES = 9;

/**
 * Queues with jobs that fail again and again, and how many; none of them has been given up. Those of both policies, each by
 * its index: jobs that are done stay for days.
 */
export async function failingQueues(db: Db): Promise<{ queue: string; jobs: number }[]> {
  const { rows } = await sql<{ queue: string; jobs: number }>`
    select name as queue, count(*)::int as jobs from (
      select name from pgboss.job
      where state <= 'active' and policy = 'exclusive' and retry_count >= ${FAILING_TRIES}
      union all
      select name from pgboss.job
      where state < 'active' and not blocked and policy = 'standard' and retry_count >= ${FAILING_TRIES}
    ) failing group by name`.execute(db);
  return rows;
}
