import { fromKysely, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { JobHandlers, JobName, Jobs } from '../ports/jobs.ts';

/** All queues, with what differs from the defaults below. */
const queues: Record<JobName, { retryLimit?: number; parallel?: number }> = {
  providerEvent: { parallel: 8 },
  checkAttempt: {},
  refundExcess: {},
  saveCard: {},
  fulfilOrder: { parallel: 8 },
  eraseCustomer: {},
  // A code is worthless after ten minutes.
  sendCode: { parallel: 4, retryLimit: 12 },
  sendMail: { parallel: 4 },
  sweep: { retryLimit: 0 },
};

const DEFAULTS = {
  // About a day of tries, from one second to ten minutes apart; then the job is kept as failed for the operator.
  retryLimit: 150,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 600,
  // A worker that dies in the middle is noticed within seconds, and its job runs again.
  heartbeatSeconds: 10,
  expireInSeconds: 300,
  notify: true,
};

export type JobRunner = Jobs & {
  /** Takes jobs. A node that only answers HTTP never calls it. */
  work(handlers: JobHandlers): Promise<void>;
  stop(): Promise<void>;
};

/** Jobs in PostgreSQL by pg-boss; LISTEN/NOTIFY wakes the workers, polling is the backstop. */
export async function startJobs(url: string, log: Logger): Promise<JobRunner> {
  const boss = new PgBoss({
    connectionString: url,
    max: 6,
    useListenNotify: true,
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 2,
  });
  boss.on('error', error => log.error({ err: error }, 'jobs'));
  await boss.start();
  for (const [name, { retryLimit }] of Object.entries(queues)) {
    await boss.createQueue(name, { ...DEFAULTS, ...(retryLimit !== undefined && { retryLimit }) });
    // Warms the queue cache: a first `send` inside a caller's transaction would need a second connection for it and
    // can dead-lock when callers' transactions fill the pool. No job has that priority, so none is taken.
    await boss.fetch(name, { minPriority: 2_000_000_000 });
  }
  return {
    async enqueue(tx, name, data, options) {
      await boss.send(name, data, {
        db: fromKysely(tx),
        ...(options?.delaySeconds && { startAfter: options.delaySeconds }),
      });
    },
    async work(handlers) {
      for (const name of Object.keys(queues) as JobName[]) {
        const handle = handlers[name] as (data: unknown) => Promise<void>;
        await boss.work(
          name,
          {
            pollingIntervalSeconds: 2,
            notifyPollingIntervalSeconds: 2,
            localConcurrency: queues[name].parallel ?? 1,
          },
          async ([job]) => {
            try {
              await handle(job!.data);
            } catch (error) {
              log.warn({ err: error, job: name }, 'job failed, it will run again');
              throw error;
            }
          },
        );
      }
      await boss.schedule('sweep', '* * * * *');
    },
    stop: () => boss.stop({ graceful: true, timeout: 5_000 }),
  };
}
