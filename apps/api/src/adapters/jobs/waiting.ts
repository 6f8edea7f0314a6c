import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

export type WaitingJobs = { queue: string; jobs: number; retried: number; oldestSeconds: number };

/** Most jobs that are counted: more than that is an outage, whatever their number. */
const MOST = 100_000;

/** Jobs that are due and not done, by queue. Index job_i11 has those of all queues. */
export async function waitingJobs(db: Db): Promise<WaitingJobs[]> {
  const { rows } = await sql<WaitingJobs>`
    select name as queue, count(*)::int as jobs, count(*) filter (where retry_count > 0)::int as retried,
      extract(epoch from now() - min(created_on))::float8 as "oldestSeconds"
    from (
      select name, retry_count, created_on from pgboss.job
      where state < 'active' and not blocked and start_after <= now() limit ${MOST}
    ) due group by name`.execute(db);
  return rows;
}
