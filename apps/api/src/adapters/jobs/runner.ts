import { sql } from 'kysely';
import { fromKysely, type JobWithMetadata, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Db } from '../../ports/database.ts';
import type { Duty, JobData, JobHandlers, JobName, Jobs } from '../../ports/jobs.ts';
import { asApplication, scopeNow } from '../database/scope.ts';
import { DEAD, DEFAULTS, DUTY, dutyQueue, jobNames, queues } from './queues.ts';

/** Polling is the backstop; LISTEN/NOTIFY wakes the workers. */
const POLL = { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 5 };
const EVERY_MINUTE = '* * * * *';

/** A job that was given up: of which queue, and its data. */
export type DeadJob = { id: string; queue: string; data: Record<string, string> };

export type JobRunner = Jobs & {
  /** Takes jobs and looks after the duties. A node that only answers HTTP never calls it. */
  work(
    handlers: JobHandlers,
    duties: readonly Duty[],
    onDead: (job: DeadJob) => Promise<void>,
  ): Promise<void>;
  /** Brings the jobs that customers' calls wished for on their way. */
  takeRequests(db: Db): Promise<void>;
  stop(): Promise<void>;
};

async function openQueues(boss: PgBoss): Promise<void> {
  await boss.createQueue(DEAD, DEFAULTS);
  await Promise.all(
    jobNames.map(async name => {
      const { key, retryLimit = DEFAULTS.retryLimit } = queues[name];
      const policy = key ? 'exclusive' : 'standard';
      await boss.createQueue(name, { ...DEFAULTS, retryLimit, policy, deadLetter: DEAD });
      // Warms the queue cache: a first `send` inside a caller's transaction would need a second connection for it and
      // can dead-lock when callers' transactions fill the pool. No job has that priority, so none is taken.
      await boss.fetch(name, { minPriority: 2_000_000_000 });
    }),
  );
}

/** Jobs in PostgreSQL by pg-boss. */
export async function startJobs(url: string, log: Logger): Promise<JobRunner> {
  const boss = new PgBoss({
    connectionString: url,
    max: 6,
    useListenNotify: true,
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 2,
    // The owner has made the tables (migrate.ts); this role may not.
    migrate: false,
    createSchema: false,
  });
  boss.on('error', error => log.error({ err: error }, 'jobs'));
  const stop = () => boss.stop({ graceful: true, timeout: 5_000 });
  try {
    await boss.start();
    await openQueues(boss);
  } catch (error) {
    await stop();
    throw error;
  }

  async function send<N extends JobName>(
    db: Db,
    name: N,
    data: JobData[N],
    startAfter?: number | undefined,
  ): Promise<void> {
    const key = queues[name].key?.(data);
    await boss.send(name, data, {
      db: fromKysely(db),
      ...(key && { singletonKey: key }),
      ...(startAfter && { startAfter }),
    });
  }

  return {
    async enqueue(tx, name, data, options) {
      const scope = scopeNow();
      if (scope === 'application') return send(tx, name, data, options?.delaySeconds);
      // A customer's role may not write the queue: it leaves a wish, which a worker takes at once.
      if (options?.delaySeconds) throw new Error('A customer’s call cannot put a job off');
      await tx
        .insertInto('job_request')
        .values({ customer_id: scope.customerId, name, data: data as Record<string, string> })
        .execute();
      await sql`select pg_notify('fixpoint', '{"kind":"jobs"}')`.execute(tx);
    },

    async takeRequests(db) {
      await db.transaction().execute(async tx => {
        const { rows } = await sql<{ name: JobName; data: never }>`
          delete from job_request where id in
            (select id from job_request order by id limit 500 for update skip locked)
          returning name, data`.execute(tx);
        for (const { name, data } of rows) await send(tx, name, data);
      });
    },

    async work(handlers, duties, onDead) {
      for (const name of jobNames) {
        const handle = handlers[name] as (data: unknown) => Promise<void>;
        for (let worker = 0; worker < (queues[name].parallel ?? 1); worker += 1) {
          const id = await boss.work(name, POLL, async ([job]) => {
            try {
              await asApplication(() => handle(job!.data));
            } catch (error) {
              log.warn({ err: error, job: name }, 'job failed, it will run again');
              throw error;
            } finally {
              // It looks for the next at once: by itself it would poll first, and a hundred jobs would take minutes.
              boss.notifyWorker(id);
            }
          });
        }
      }
      for (const { name, run, at = EVERY_MINUTE } of duties) {
        const queue = dutyQueue(name);
        await boss.createQueue(queue, DUTY);
        await boss.work(queue, POLL, () => asApplication(run));
        await boss.schedule(queue, at, null, { tz: 'Asia/Bangkok' });
      }
      await boss.work(DEAD, { ...POLL, includeMetadata: true }, async ([job]) => {
        const { sourceName, sourceId, data } = job as JobWithMetadata<Record<string, string>>;
        await asApplication(() => onDead({ id: sourceId ?? job!.id, queue: sourceName ?? DEAD, data }));
      });
    },

    stop,
  };
}
