import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import type { JobName } from '../../ports/jobs.ts';

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

const EMAIL_QUEUES: readonly JobName[] = [
  'sendEmail',
  'sendCollected',
  'sendCode',
  'sendInvitation',
  'sendPlaceNotice',
];
/** An email at its fifth try has failed for about half a minute. */
const REFUSED_TRIES = 4;
/** One alone may have an address that does not exist. */
const REFUSED_EMAILS = 2;

/** Emails that have not left, and whether several were refused for half a minute while no other one left. */
export async function emailBacklog(db: Db): Promise<{ waiting: number; noneLeaves: boolean }> {
  const { rows } = await sql<{ waiting: number; noneLeaves: boolean }>`
    select waiting, refused >= ${REFUSED_EMAILS} and not exists (
      select from pgboss.job where refused >= ${REFUSED_EMAILS} and name = any(${EMAIL_QUEUES})
        and state = 'completed' and completed_on > refused_since
    ) as "noneLeaves"
    from (
      select count(*)::int as waiting, count(*) filter (where retry_count >= ${REFUSED_TRIES}) as refused,
        min(created_on) filter (where retry_count >= ${REFUSED_TRIES}) as refused_since
      from pgboss.job where name = any(${EMAIL_QUEUES}) and state < 'active' and not blocked
    ) backlog`.execute(db);
  return rows[0]!;
}
