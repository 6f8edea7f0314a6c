import type { Db } from '../../ports/database.ts';
import { syncAlerts } from '../alert/index.ts';
import type { Difference } from './check.ts';

/** Raises an alert for each difference, and resolves those that are gone. */
export const alertDifferences = (db: Db, now: Date, found: readonly Difference[]): Promise<void> =>
  syncAlerts(
    db,
    now,
    'books.differ',
    found.map(({ name, sentence, rows }) => ({ subject: name, what: { sentence, rows: rows.length } })),
  );
