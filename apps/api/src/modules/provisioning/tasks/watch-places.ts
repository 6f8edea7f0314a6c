import type { ScheduledTask } from '../../../ports/jobs.ts';
import { countMinute, type StatusDeps } from '../place-status.ts';

export const watchPlacesTask: ScheduledTask<StatusDeps> = {
  name: 'watchPlaces',
  interval: 'minute',
  description:
    'Counts for the status page whether the hosts of each place answer, and forgets days before the last 90.',
  run: countMinute,
};
