import { syncAlerts } from '../../modules/alert/index.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { ScheduledTask } from '../../ports/jobs.ts';

type Deps = { db: Db; clock: Clock; failingQueues(db: Db): Promise<{ queue: string; jobs: number }[]> };

export const alertFailingJobsTask: ScheduledTask<Deps> = {
  name: 'tellFailingJobs',
  interval: 'minute',
  description: 'Raises an alert for each queue whose jobs fail again and again.',
  async run({ db, clock, failingQueues }) {
    const failing = await failingQueues(db);
    const alerts = failing.map(({ queue, jobs }) => ({ subject: queue, what: { jobs } }));
    await syncAlerts(db, clock.now(), 'job.failing', alerts);
  },
};
