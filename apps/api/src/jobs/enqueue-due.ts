import type { Db } from '../ports/database.ts';
import type { JobData, JobName, Jobs, ScheduledTask } from '../ports/jobs.ts';

type Definition<Name extends JobName, Deps> = Omit<ScheduledTask<Deps>, 'run' | 'queue'> & {
  queue: Name;
  find: (deps: Deps) => Promise<readonly JobData[Name][]>;
};

/** Defines a scheduled task that finds what is due and writes a job for each. */
export const enqueueDue = <Name extends JobName, Deps extends { db: Db; jobs: Jobs }>({
  find,
  ...task
}: Definition<Name, Deps>): ScheduledTask<Deps> => ({
  ...task,
  async run(deps) {
    const due = await find(deps);
    if (due.length > 0) await deps.jobs.enqueueAll(deps.db, task.queue, due);
  },
});
