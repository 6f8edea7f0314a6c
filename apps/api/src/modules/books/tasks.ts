import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { ScheduledTask } from '../../ports/jobs.ts';
import { syncAlerts } from '../alert/index.ts';
import { checkDatabase, type Difference } from './check.ts';

/** Makes each difference an alert, and mends what balances again. */
export const tellDifferences = (db: Db, now: Date, found: readonly Difference[]): Promise<void> =>
  syncAlerts(
    db,
    now,
    'books.differ',
    found.map(({ name, sentence, rows }) => ({ subject: name, what: { sentence, rows: rows.length } })),
  );

/** Every night, when few customers are there, the database is held against all invariants. */
export const booksTask = ({ db, clock }: { db: Db; clock: Clock }): ScheduledTask => ({
  name: 'checkBooks',
  at: '0 3 * * *',
  async run() {
    const now = clock.now();
    await tellDifferences(db, now, await checkDatabase(db, now));
  },
});
