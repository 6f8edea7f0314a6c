import { openJobDatabase } from '@fixpoint/api/adapters/jobs/job-database.ts';
import { DEAD, jobNames, queues } from '@fixpoint/api/adapters/jobs/queues.ts';
import { takeRequests, transactionalJobs } from '@fixpoint/api/adapters/jobs/requests.ts';
import type { DeadJob, JobRunner } from '@fixpoint/api/adapters/jobs/runner.ts';
import { asApplication } from '@fixpoint/api/database/scope.ts';
import { serializeError } from '@fixpoint/api/log/log-redaction.ts';
import type { createLogger } from '@fixpoint/api/log/logger.ts';
import type { BoundTask, JobHandlers, JobName } from '@fixpoint/api/ports/jobs.ts';

/** First pause before a failed job is retried (pg-boss: one second). Each try doubles it. */
const FIRST_PAUSE_MS = 100;
/** Interval of the poll for jobs without a notification: of another process, or due because a test moved the clock. */
const LOOK_MS = 1_000;
/** Scheduled tasks that tests wait for without moving the clock; production runs them each minute. */
const LOOKED_AFTER = new Set(['generateDocuments', 'takeJobRequests']);

type Row = { id: string; name: string; data: never; retry_count: number; retry_limit: number };

const isIn = (name: string): name is JobName => Object.hasOwn(queues, name);

/**
 * A job queue for tests on pg-boss's own table, with the same keys, retry limits, dead-letter queue and parallelism. Jobs
 * run as soon as their transaction commits. Scheduled tasks run only when a test calls `sweep`, except two.
 */
export async function startInlineJobs(url: string, log: ReturnType<typeof createLogger>): Promise<JobRunner> {
  const database = openJobDatabase(url);
  const dirty = new Set<string>();
  const running = new Map<string, number>();
  const open = new Set<Promise<void>>();
  let run: ((job: Row) => Promise<void>) | undefined;
  let pumping = false;
  let stopped = false;

  const free = (name: string): number =>
    (isIn(name) ? (queues[name].parallel ?? 1) : 1) - (running.get(name) ?? 0);

  /** Fetches up to the free places of each queue. A queue that fills them may hold more. */
  async function fetchDue(names: string[]): Promise<Row[]> {
    const asked = names.map(name => ({ name, places: free(name) }));
    const { rows } = await database.executeSql(
      `with due as (
        select job.name, job.id from json_to_recordset($1::json) as queue(name text, places int)
        cross join lateral (
          select name, id from pgboss.job where name = queue.name and state < 'active' and start_after <= now()
          order by created_on, id limit queue.places for update skip locked) job)
      update pgboss.job set state = 'active', started_on = now(),
        retry_count = retry_count + (state = 'retry')::int
      from due where job.name = due.name and job.id = due.id
      returning job.id, job.name, job.data, job.retry_count, job.retry_limit`,
      [JSON.stringify(asked)],
    );
    for (const { name, places } of asked)
      if (rows.filter(row => (row as Row).name === name).length === places) dirty.add(name);
    return rows as Row[];
  }

  async function pump(): Promise<void> {
    if (pumping || stopped || !run) return;
    pumping = true;
    try {
      for (;;) {
        // A full queue is fetched again when one of its jobs ends.
        const names = [...dirty].filter(name => free(name) > 0);
        if (names.length === 0 || stopped) return;
        for (const name of names) dirty.delete(name);
        for (const job of await fetchDue(names)) begin(job);
      }
    } catch (error) {
      if (!stopped) log.warn({ err: error }, 'inline jobs');
    } finally {
      pumping = false;
    }
  }

  function begin(job: Row): void {
    running.set(job.name, (running.get(job.name) ?? 0) + 1);
    const done = run!(job).finally(() => {
      running.set(job.name, running.get(job.name)! - 1);
      open.delete(done);
      void pump();
    });
    open.add(done);
  }

  const look = (...names: string[]): void => {
    for (const name of names) dirty.add(name);
    void pump();
  };
  const all = [...jobNames, DEAD];
  let tasks: readonly BoundTask[] = [];
  const timer = setInterval(() => {
    if (open.size > 0) return;
    for (const { run: begin } of tasks) {
      const done: Promise<void> = asApplication(begin)
        .catch(() => undefined)
        .finally(() => open.delete(done));
      open.add(done);
    }
    look(...all);
  }, LOOK_MS);

  async function settle({ id, name, data, retry_count, retry_limit }: Row, error?: unknown): Promise<void> {
    if (!error)
      return void (await database.executeSql(
        `update pgboss.job set state = 'completed', completed_on = now() where name = $1 and id = $2`,
        [name, id],
      ));
    const output = JSON.stringify(serializeError(error));
    if (retry_count < retry_limit) {
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** retry_count, 600_000);
      await database.executeSql(
        `update pgboss.job set state = 'retry', output = $3, start_after = now() + $4 * interval '1 ms'
         where name = $1 and id = $2`,
        [name, id, output, pause],
      );
      setTimeout(() => look(name), pause + 5).unref();
      return;
    }
    await database.executeSql(
      `with failed as (
        update pgboss.job set state = 'failed', completed_on = now(), output = $3 where name = $1 and id = $2)
      insert into pgboss.job (name, data, policy, source_name, source_id)
        values ('${DEAD}', $4, 'standard', $1, $2)`,
      [name, id, output, JSON.stringify(data)],
    );
    look(DEAD);
  }

  return {
    ...transactionalJobs,
    takeRequests,
    async work(handlers: JobHandlers, scheduled, onDead) {
      tasks = scheduled.filter(({ name }) => LOOKED_AFTER.has(name));
      const handle = ({ id, name, data }: Row): Promise<void> => {
        if (isIn(name)) return handlers[name](data);
        throw new Error(`A job for ${name} ${id}`);
      };
      const dead = async ({ id, data }: Row): Promise<void> => {
        const { rows } = await database.executeSql(
          `select source_name, source_id from pgboss.job where name = $1 and id = $2`,
          [DEAD, id],
        );
        const { source_name, source_id } = rows[0] as { source_name?: string; source_id?: string };
        const job: DeadJob = { id: source_id ?? id, queue: source_name ?? DEAD, data };
        await onDead(job);
      };
      run = async job => {
        try {
          await asApplication(() => (job.name === DEAD ? dead(job) : handle(job)));
        } catch (error) {
          log.warn({ err: error, job: job.name }, 'job failed, it will run again');
          return await settle(job, error).catch(failed => log.warn({ err: failed }, 'inline jobs'));
        }
        await settle(job).catch(failed => log.warn({ err: failed }, 'inline jobs'));
      };
      look(...all);
    },
    announced: queue => look(queue),
    async stop() {
      stopped = true;
      clearInterval(timer);
      await Promise.race([Promise.all(open), new Promise(done => setTimeout(done, 5_000).unref())]);
      await database.close();
    },
  };
}
