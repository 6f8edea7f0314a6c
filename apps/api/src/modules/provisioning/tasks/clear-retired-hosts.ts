import type { ScheduledTask } from '../../../ports/jobs.ts';
import { clearStoppedHosts } from '../fenced-host.ts';

/** A host that never reports again stops serving when its desired set expires. */
export const clearRetiredHostsTask: ScheduledTask = {
  name: 'forgetStopped',
  interval: 'minute',
  description:
    'Lets the addresses of retired hosts move on once no machine of the host can serve them any more.',
  run: deps => clearStoppedHosts(deps, 'retired'),
};
