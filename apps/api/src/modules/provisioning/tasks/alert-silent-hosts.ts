import { minute } from '../../../kernel/minute.ts';
import type { ScheduledTask, TaskDeps } from '../../../ports/jobs.ts';
import { syncAlerts } from '../../alert/index.ts';
import { canJudgeSilence, silentHosts } from '../silent-hosts.ts';

export const alertSilentHostsTask: ScheduledTask<TaskDeps & { startedAt: Date }> = {
  name: 'tellSilentHosts',
  interval: 'minute',
  description:
    'Raises an alert for each host in service that has stopped reporting, and resolves those that report again.',
  async run({ db, clock, systemClock, startedAt }) {
    if (!canJudgeSilence(startedAt, systemClock.now())) return;
    const silent = await silentHosts(db, clock.now(), systemClock.now());
    const alerts = silent.map(({ id, seenAt, subscriptions, endedRights, clockMinutes }) => ({
      subject: id,
      what: {
        silentSince: minute(seenAt),
        subscriptions,
        ...(endedRights > 0 && { endedRights }),
        ...(clockMinutes !== null && { clockMinutes }),
      },
    }));
    await syncAlerts(db, clock.now(), 'host.silent', alerts);
  },
};
