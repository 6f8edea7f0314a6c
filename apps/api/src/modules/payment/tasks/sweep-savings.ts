import type { ScheduledTask } from '../../../ports/jobs.ts';
import { SAVING_KEPT_MS } from '../saved-method/index.ts';

export const sweepSavingsTask: ScheduledTask = {
  name: 'sweepSavings',
  interval: 'hour',
  description: 'Deletes the counts of refused attempts to save a card that are older than a day.',
  async run({ db, clock }) {
    const until = new Date(clock.now().getTime() - SAVING_KEPT_MS);
    await db.deleteFrom('card_saving').where('seen_at', '<', until).execute();
  },
};
