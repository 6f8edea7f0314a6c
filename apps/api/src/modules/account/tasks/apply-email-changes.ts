import type { ScheduledTask } from '../../../ports/jobs.ts';
import { applyDueChanges } from '../staff-email-change.ts';

export const applyEmailChangesTask: ScheduledTask = {
  name: 'applyEmailChanges',
  interval: 'minute',
  description:
    'Gives accounts the address that staff announced a day ago, unless their owner has stopped it.',
  run: ({ db, systemClock }) => applyDueChanges({ db, clock: systemClock }),
};
