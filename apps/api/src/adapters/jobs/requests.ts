import { sql } from 'kysely';
import { scopeNow } from '../../database/scope.ts';
import type { Db } from '../../ports/database.ts';
import type { JobData, JobName, Jobs } from '../../ports/jobs.ts';

/** Writes a job in the queue. */
type Send = <N extends JobName>(db: Db, name: N, data: JobData[N], delaySeconds?: number) => Promise<void>;

/** Uses `send` with the application's rights; a customer's call records a request. */
export const enqueueBy =
  (send: Send): Jobs['enqueue'] =>
  async (tx, name, data, options) => {
    const scope = scopeNow();
    if (scope === 'application') return send(tx, name, data, options?.delaySeconds);
    if (options?.delaySeconds) throw new Error('A customer’s call cannot delay a job');
    await requestJob(tx, scope.customerId, name, data);
  };

/**
 * Records a job in `job_request`, because the customer role has no write access to the queue; a
 * worker enqueues it at once (`takeRequests`).
 */
async function requestJob<N extends JobName>(
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
