import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import type { JobData, JobName } from '../../ports/jobs.ts';

/**
 * Records a job in `job_request`, because the customer role has no write access to the queue; a worker enqueues it at
 * once (`takeRequests`).
 */
export async function requestJob<N extends JobName>(
  tx: Db,
  customerId: string,
  name: N,
  data: JobData[N],
): Promise<void> {
  await tx
    .insertInto('job_request')
    .values({ customer_id: customerId, name, data: data as Record<string, string> })
    .execute();
  await sql`select pg_notify('fixpoint', '{"kind":"jobs"}')`.execute(tx);
}

/** Enqueues what customers' calls requested, by `send` in one transaction. */
export async function takeRequests(
  db: Db,
  send: (tx: Db, name: JobName, data: never) => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async tx => {
    const { rows } = await sql<{ name: JobName; data: never }>`
      delete from job_request where id in
        (select id from job_request order by id limit 500 for update skip locked)
      returning name, data`.execute(tx);
    for (const { name, data } of rows) await send(tx, name, data);
  });
}
