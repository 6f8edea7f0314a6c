import type { ScheduledTask } from '../../../ports/jobs.ts';
import { alertDifferences } from '../alert-differences.ts';
import { checkDatabase } from '../check.ts';

export const checkBooksTask: ScheduledTask = {
  name: 'checkBooks',
  interval: 'day',
  description:
    'Checks the database against all invariants of the books, and raises an alert for each that does not hold.',
  async run({ db, clock }) {
    const now = clock.now();
    await alertDifferences(db, now, await checkDatabase(db, now));
  },
};
