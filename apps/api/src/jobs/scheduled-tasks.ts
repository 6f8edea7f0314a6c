import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { raiseAlert, resolveAlert } from '../modules/alert/index.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { BoundTask, ScheduledTask } from '../ports/jobs.ts';
import { RowsFailed } from './each-row.ts';

/** A task may take this long: less than its queue allows, so that the alert names the task that hangs. */
const MOST_MS = 45_000;

/** Binds a task to its dependencies. */
export const bindTask = <Deps>({ name, interval, run }: ScheduledTask<Deps>, deps: Deps): BoundTask => ({
  name,
  interval,
  run: () => run(deps),
});

/**
 * Adds alerts: a task that fails or hangs has one until it succeeds again. The failure of one task stops no other.
 * @param mostMs a task that takes longer hangs
 */
export function watched(
  { db, clock, log }: { db: Db; clock: Clock; log: Logger },
  tasks: readonly BoundTask[],
  mostMs = MOST_MS,
): { tasks: BoundTask[]; runAllTasks(which?: (task: BoundTask) => boolean): Promise<void> } {
  async function succeeds(name: string, run: BoundTask['run']): Promise<boolean> {
    try {
      await run();
      return true;
    } catch (error) {
      log.error({ err: error, task: name }, 'scheduled task failed');
      const failed = error instanceof RowsFailed && { what: { rows: error.rows } };
      await raiseAlert(db, clock.now(), { kind: 'task.failing', subject: name, ...failed });
      return false;
    }
  }
  return {
    tasks: tasks.map(task => ({
      ...task,
      async run() {
        if (await succeeds(task.name, () => inTime(task.run, mostMs)))
          await resolveAlert(db, clock.now(), 'task.failing', task.name);
      },
    })),
    /** Runs them one after the other, and resolves the alerts of all that succeeded in one statement. */
    async runAllTasks(which = () => true) {
      const fine: string[] = [];
      for (const { name, run } of tasks.filter(which))
        if (await succeeds(name, () => inTime(run, mostMs))) fine.push(name);
      await resolveAlert(db, clock.now(), 'task.failing', ...fine);
    },
  };
}

async function inTime(run: () => Promise<void>, mostMs: number): Promise<void> {
  const over = new AbortController();
  const late = delay(mostMs, undefined, { ref: false, signal: over.signal }).then(() => {
    throw new Error(`The task hangs: not done after ${mostMs / 1000} s`);
  });
  try {
    await Promise.race([run(), late]);
  } finally {
    over.abort();
    // Its rejection has no listener after the race.
    late.catch(() => undefined);
  }
}
