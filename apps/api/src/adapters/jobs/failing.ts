import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

/** A job in its ninth try has been failing for five to ten minutes. */
const FAILING_TRIES = 9;

/**
 * Queues with repeatedly failing jobs that were not given up, and their numbers. Each policy has
 * its own query to use its index, because done jobs stay for days.
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
