import type { ScheduledTask } from '../../../ports/jobs.ts';
import { eraseGuests } from '../erase-guests.ts';

export const eraseGuestsTask: ScheduledTask = {
  name: 'forgetGuests',
  interval: 'minute',
  description: 'Erases the email address of guests who never paid, 30 days after their order expired.',
  run: eraseGuests,
};
