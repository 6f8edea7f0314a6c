import type { ScheduledTask } from '../../../ports/jobs.ts';

/** Support is asked about an email of last year at most. */
const KEPT_MS = 365 * 24 * 60 * 60_000;

export const sweepSentTask: ScheduledTask = {
  name: 'sweepSent',
  interval: 'day',
  description: 'Deletes the record of emails that were sent a year ago.',
  async run({ db, clock }) {
    await db
      .deleteFrom('sent_email')
      .where('sent_at', '<', new Date(clock.now().getTime() - KEPT_MS))
      .execute();
  },
};
