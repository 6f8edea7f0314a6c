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
    // A channel that fails has an alert of its own.
    const failing = (await failingQueues(db)).filter(({ queue }) => queue !== 'deliverAlert');
    const alerts = failing.map(({ queue, jobs }) => ({ subject: queue, what: { jobs } }));
    await syncAlerts(db, clock.now(), 'job.failing', alerts);
  },
};
