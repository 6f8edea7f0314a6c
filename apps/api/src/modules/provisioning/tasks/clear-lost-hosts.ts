import type { ScheduledTask, TaskDeps } from '../../../ports/jobs.ts';
import { clearStoppedHosts } from '../fenced-host.ts';
import { canJudgeSilence } from '../silent-hosts.ts';

export const clearLostHostsTask: ScheduledTask<TaskDeps & { startedAt: Date }> = {
  name: 'forgetLost',
  interval: 'minute',
  description:
    'Lets addresses that leave a lost host move on once no machine of the host can serve them any more.',
  async run(deps) {
    if (canJudgeSilence(deps.startedAt, deps.systemClock.now())) await clearStoppedHosts(deps, 'lost');
  },
};
