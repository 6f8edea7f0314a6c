import type { ScheduledTask } from '../../../ports/jobs.ts';
import { forgetExpiredNotices } from '../place-notices.ts';

export const forgetPlaceNoticesTask: ScheduledTask = {
  name: 'forgetPlaceNotices',
  interval: 'hour',
  description:
    'Erases the addresses of those who wait for a place: after a day if they never confirmed it, else after a year.',
  run: async ({ db, clock }) => void (await forgetExpiredNotices(db, clock.now())),
};
