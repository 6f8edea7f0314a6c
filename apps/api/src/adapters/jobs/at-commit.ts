import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import { JOBS_CHANNEL } from './job-database.ts';

/** Channel of the live bus. */
export const CHANNEL = 'fixpoint';

/** A job of any queue. `key`: its subject, in a queue with at most one job per subject. */
export type NewJob = { name: string; data: object; key?: string | undefined };

/** Jobs, and messages of the live bus: both are sent when their transaction commits. */
type AtCommit = { jobs: NewJob[]; messages: string[] };

/** Jobs and messages that wait for the end of their transaction. */
const waiting = new WeakMap<Db, AtCommit>();

/** Runs `work` in a transaction and writes all its jobs and messages in one statement at its end. */
export const transaction = <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> =>
  db.transaction().execute(async tx => {
    const gathered: AtCommit = { jobs: [], messages: [] };
    waiting.set(tx, gathered);
    const result = await work(tx);
    // The transaction may be part of another one, which goes on.
    waiting.delete(tx);
    await write(tx, gathered);
    return result;
  });

/** Writes jobs and messages: at once, or with the others at the end of a {@link transaction}. */
export async function send(db: Db, { jobs = [], messages = [] }: Partial<AtCommit>): Promise<void> {
  const later = waiting.get(db);
  if (!later) return write(db, { jobs, messages });
  later.jobs.push(...jobs);
  later.messages.push(...messages);
}

/**
 * Writes jobs as pg-boss does, which takes one queue per call: with the settings of their queues, one per key, announced at
 * the commit. The customer role has no right to the tables of the queue; its transactions have no jobs.
 */
async function write(db: Db, { jobs, messages }: AtCommit): Promise<void> {
  const notified = sql`select pg_notify(${CHANNEL}, message) from unnest(${messages}::text[]) message`;
  if (jobs.length === 0) return void (messages.length > 0 && (await notified.execute(db)));
  await sql`with made as (
      insert into pgboss.job (name, data, singleton_key, policy, retry_limit, retry_delay, retry_backoff, retry_delay_max,
        expire_seconds, heartbeat_seconds, deletion_seconds, keep_until, dead_letter)
      select job.name, job.data, job.key, queue.policy, queue.retry_limit, queue.retry_delay, queue.retry_backoff,
        queue.retry_delay_max, queue.expire_seconds, queue.heartbeat_seconds, queue.deletion_seconds,
        now() + queue.retention_seconds * interval '1 second', queue.dead_letter
      from jsonb_to_recordset(${JSON.stringify(jobs)}::jsonb) as job(name text, data jsonb, key text)
        -- Left join: a missing queue must be an error, not a lost job.
        left join pgboss.queue on queue.name = job.name
      on conflict do nothing returning name)
    select pg_notify(${JOBS_CHANNEL}, name) from (select distinct name from made) queues
    union all ${notified}`.execute(db);
}
