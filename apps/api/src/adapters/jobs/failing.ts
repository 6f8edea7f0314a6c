import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

/** A job at its ninth try has failed for five to ten minutes. */
const FAILING_TRIES = 9;

/**
 * Queues with jobs that keep failing and are still retried, with their number. Each policy has an index of its own; without
 * it the query would read the completed jobs of days.
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
