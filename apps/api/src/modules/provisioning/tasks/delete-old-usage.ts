import type { ScheduledTask } from '../../../ports/jobs.ts';
import { forgetDays } from '../usage.ts';

export const deleteOldUsageTask: ScheduledTask = {
  name: 'forgetUsageDays',
  interval: 'hour',
  description: 'Deletes daily usage that the screens no longer show.',
  run: ({ db, clock }) => forgetDays(db, clock.now()),
};
