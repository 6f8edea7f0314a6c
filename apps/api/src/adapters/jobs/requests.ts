import { sql } from 'kysely';
import { scopeNow } from '../../database/scope.ts';
import type { Db } from '../../ports/database.ts';
import type { JobData, JobName, Jobs } from '../../ports/jobs.ts';
import { type NewJob, send } from './at-commit.ts';
import { queues } from './queues.ts';

const jobOf = <N extends JobName>(name: N, data: JobData[N]): NewJob => ({
  name,
  data,
  key: queues[name].key?.(data),
});

/**
 * Writes jobs with the application's rights, in the transaction of what causes them (an outbox); a
 * customer's call records a request.
 */
export const transactionalJobs: Jobs = {
  async enqueue(tx, name, data) {
    const scope = scopeNow();
    return scope === 'application'
      ? send(tx, { jobs: [jobOf(name, data)] })
      : requestJob(tx, scope.customerId, name, data);
  },
  enqueueAll: (tx, name, all) => send(tx, { jobs: all.map(data => jobOf(name, data)) }),
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
  await send(tx, { messages: [JSON.stringify({ kind: 'jobs' })] });
}

/** Enqueues what customers' calls requested, in one transaction. */
export async function takeRequests(db: Db): Promise<void> {
  await db.transaction().execute(async tx => {
    const { rows } = await sql<{ name: JobName; data: never }>`
      delete from job_request where id in
        (select id from job_request order by id limit 500 for update skip locked)
      returning name, data`.execute(tx);
    await send(tx, { jobs: rows.map(({ name, data }) => jobOf(name, data)) });
  });
}
