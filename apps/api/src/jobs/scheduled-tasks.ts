import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { raiseAlert, resolveAlert } from '../modules/alert/index.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { ScheduledTask } from '../ports/jobs.ts';
import { RowsFailed } from './each-row.ts';

/** A scheduled task takes so long at most: a little less than its queue lets it run, so that it is said which one hangs. */
const MOST_MS = 45_000;

/**
 * Scheduled tasks that say when they fail or hang: each in a row of `alerts` until it succeeds again. The failure of one is
 * nothing to the others.
 * @param mostMs longer than this a scheduled task of the queue hangs
 */
export function watched(
  { db, clock, log }: { db: Db; clock: Clock; log: Logger },
  tasks: readonly ScheduledTask[],
  mostMs = MOST_MS,
): { tasks: ScheduledTask[]; runAllTasks(which?: (task: ScheduledTask) => boolean): Promise<void> } {
  async function succeeds(name: string, run: ScheduledTask['run']): Promise<boolean> {
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
          await resolveAlert(db, 'task.failing', task.name);
      },
    })),
    /** One after the other: a quarter of their statements were to mend what is whole. */
    async runAllTasks(which = () => true) {
      const fine: string[] = [];
      for (const { name, run } of tasks.filter(which))
        if (await succeeds(name, () => inTime(run, mostMs))) fine.push(name);
      await resolveAlert(db, 'task.failing', ...fine);
    },
  };
}

async function inTime(run: () => Promise<void>, mostMs: number): Promise<void> {
  const over = new AbortController();
  const late = delay(mostMs, undefined, { ref: false, signal: over.signal }).then(() => {
    throw new Error(`It hangs: not done after ${mostMs / 1000} s`);
  });
  try {
    await Promise.race([run(), late]);
  } finally {
    over.abort();
    // Nobody waits for it any more.
    late.catch(() => undefined);
  }
}
