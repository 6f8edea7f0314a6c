import {
  type Job,
  type JobResult,
  type JobWithMetadata,
  PgBoss,
  type Queue as QueueOptions,
  type QueueResult,
} from 'pg-boss';
import type { Logger } from 'pino';
import { asApplication } from '../../database/scope.ts';
import { serializeError } from '../../log/log-redaction.ts';
import type { Db } from '../../ports/database.ts';
import type { BoundTask, JobHandlers, Jobs } from '../../ports/jobs.ts';
import { openJobDatabase } from './job-database.ts';
import { cronOf, DEAD, DEFAULTS, jobNames, queues, TASK, taskQueue } from './queues.ts';
import { takeRequests, transactionalJobs } from './requests.ts';

/**
 * Jobs are announced (`announced`). Polling finds delayed jobs and those whose announcement was lost: one worker of a queue
 * polls often; the others poll so that many jobs due at once are not done one by one.
 */
const OFTEN = { pollingIntervalSeconds: 3 };
const SELDOM = { pollingIntervalSeconds: 15 };
const TIME_ZONE = 'Asia/Bangkok';

/** A job that failed too often: its queue and its data. */
export type DeadJob = { id: string; queue: string; data: Record<string, string> };

export type JobRunner = Jobs & {
  /** Runs jobs and scheduled tasks. A node that only answers HTTP never calls it. */
  work(
    handlers: JobHandlers,
    tasks: readonly BoundTask[],
    onDead: (job: DeadJob) => Promise<void>,
  ): Promise<void>;
  /** Enqueues the jobs that customers' calls requested. */
  takeRequests(db: Db): Promise<void>;
  /** The live bus announces a job of this queue. */
  announced(queue: string): void;
  stop(): Promise<void>;
};

/** The queues that exist, asked for once at a start: creating one again would change nothing. */
const queuesOf = async (boss: PgBoss): Promise<Map<string, QueueResult>> =>
  new Map((await boss.getQueues()).map(queue => [queue.name, queue]));

/** Creates a queue; one that another version has created gets this version's retries and timeout. */
async function openQueue(
  boss: PgBoss,
  queue: QueueResult | undefined,
  name: string,
  options: typeof DEFAULTS & Pick<QueueOptions, 'policy' | 'deadLetter'>,
): Promise<void> {
  const { retryLimit, expireInSeconds } = options;
  if (!queue) await boss.createQueue(name, options);
  else if (queue.retryLimit !== retryLimit || queue.expireInSeconds !== expireInSeconds)
    await boss.updateQueue(name, { retryLimit, expireInSeconds });
}

async function openQueues(boss: PgBoss): Promise<void> {
  const known = await queuesOf(boss);
  await openQueue(boss, known.get(DEAD), DEAD, DEFAULTS);
  await Promise.all(
    jobNames.map(async name => {
      const { key, retryLimit, expireInSeconds } = { ...DEFAULTS, ...queues[name] };
      const policy = key ? 'exclusive' : 'standard';
      const options = { ...DEFAULTS, retryLimit, expireInSeconds, policy, deadLetter: DEAD } as const;
      await openQueue(boss, known.get(name), name, options);
    }),
  );
}

/** Jobs in PostgreSQL by pg-boss. */
export async function startJobs(url: string, log: Logger): Promise<JobRunner> {
  const database = openJobDatabase(url);
  const boss = new PgBoss({
    db: database,
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 2,
    // The owner role creates the tables (migrate.ts); this role may not.
    migrate: false,
    createSchema: false,
  });
  boss.on('error', error => log.error({ err: error }, 'jobs'));
  /** Idle workers by queue; the one that polled longest ago comes first. */
  const idle = new Map<string, Set<string>>();
  /** Queues to which a job came while all their workers were busy. */
  const missed = new Set<string>();
  const stop = async () => {
    await boss.stop({ graceful: true, timeout: 5_000 });
    await database.close();
  };
  try {
    await boss.start();
    await openQueues(boss);
  } catch (error) {
    await stop();
    throw error;
  }

  return {
    ...transactionalJobs,

    takeRequests,

    async work(handlers, tasks, onDead) {
      const outcome = async (
        queue: string,
        { id }: Job<unknown>,
        run: () => Promise<void>,
      ): Promise<JobResult> => {
        try {
          await asApplication(run);
          return { id, status: 'completed' };
        } catch (error) {
          log.warn({ err: error, job: queue }, 'job failed, it will run again');
          // The queue would store every property of the error.
          return { id, status: 'failed', output: serializeError(error) };
        }
      };
      const perJobResults = true as const;
      for (const name of jobNames) {
        const handle = handlers[name] as (data: unknown) => Promise<void>;
        const { parallel = 1, together = 1 } = queues[name];
        const free = new Set<string>();
        idle.set(name, free);
        for (let worker = 0; worker < parallel / together; worker += 1) {
          const often = worker === 0 ? OFTEN : SELDOM;
          const options = { ...often, batchSize: together, perJobResults };
          const id = await boss.work(name, options, async jobs => {
            free.delete(id);
            try {
              return await Promise.all(jobs.map(job => outcome(name, job, () => handle(job.data))));
            } finally {
              free.add(id);
              // Polls again at once where more may wait: after a pause each, a hundred jobs would take minutes.
              if (missed.delete(name) || jobs.length === together) boss.notifyWorker(id);
            }
          });
          free.add(id);
        }
      }
      const known = await queuesOf(boss);
      const scheduled = new Set(
        (await boss.getSchedules()).map(({ name, cron, timezone }) => `${name} ${cron} ${timezone}`),
      );
      const schedule = async (task: BoundTask) => {
        const { name, run } = task;
        const queue = taskQueue(name);
        const cron = cronOf(task);
        await openQueue(boss, known.get(queue), queue, TASK);
        // The only worker of its queue is always woken. A lost announcement costs one pause between polls.
        const id = await boss.work(queue, { ...SELDOM, perJobResults }, async ([job]) => [
          await outcome(queue, job!, run),
        ]);
        idle.set(queue, new Set([id]));
        if (!scheduled.has(`${queue} ${cron} ${TIME_ZONE}`))
          await boss.schedule(queue, cron, null, { tz: TIME_ZONE });
      };
      await Promise.all(tasks.map(schedule));
      await boss.work(DEAD, { ...OFTEN, includeMetadata: true, perJobResults }, async ([job]) => {
        const { id, sourceName, sourceId, data } = job as JobWithMetadata<Record<string, string>>;
        const dead = { id: sourceId ?? id, queue: sourceName ?? DEAD, data };
        return [await outcome(DEAD, job!, () => onDead(dead))];
      });
    },

    // pg-boss would wake all workers of the queue. Each polls by a query, and a purchase would spend more on polls for jobs
    // that another worker has taken than on its jobs.
    announced(queue) {
      const free = idle.get(queue);
      const [id] = free ?? [];
      if (!id) return void (free && missed.add(queue));
      free!.delete(id);
      free!.add(id);
      boss.notifyWorker(id);
    },

    stop,
  };
}
