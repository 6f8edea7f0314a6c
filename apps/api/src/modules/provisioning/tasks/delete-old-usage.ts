import type { ScheduledTask } from '../../../ports/jobs.ts';
import { deleteOldUsage } from '../usage.ts';

export const deleteOldUsageTask: ScheduledTask = {
  name: 'forgetUsageDays',
  interval: 'hour',
  description: 'Deletes daily usage that the screens no longer show.',
  run: ({ db, clock }) => deleteOldUsage(db, clock.now()),
};
