import type { ScheduledTask } from '../../../ports/jobs.ts';

/** A job is repeated for a day; this long after that nobody asks for the same email again. */
const KEPT_MS = 30 * 24 * 60 * 60_000;

export const sweepCollectedTask: ScheduledTask = {
  name: 'sweepCollected',
  interval: 'day',
  description: 'Deletes the record of emails that left together 30 days ago.',
  async run({ db, clock }) {
    await db
      .deleteFrom('collected_email')
      .where('sent_at', '<', new Date(clock.now().getTime() - KEPT_MS))
      .execute();
  },
};
