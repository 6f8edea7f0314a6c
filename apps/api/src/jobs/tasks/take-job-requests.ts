import type { Db } from '../../ports/database.ts';
import type { ScheduledTask } from '../../ports/jobs.ts';

export const takeJobRequestsTask: ScheduledTask<{
  db: Db;
  jobs: { takeRequests(db: Db): Promise<void> };
}> = {
  name: 'takeJobRequests',
  interval: 'minute',
  description: 'Enqueues jobs that customers’ calls requested and no worker has taken at once.',
  run: ({ db, jobs }) => jobs.takeRequests(db),
};
