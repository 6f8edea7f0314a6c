import type { Db } from '../../ports/database.ts';
import { syncAlerts } from '../alert/index.ts';

const HOUR_MS = 60 * 60_000;

/** Whether it is time for the next backup. @param everyHours the setting BACKUP_EVERY */
export const isDue = (last: Date | undefined, everyHours: number, now: Date): boolean =>
  last === undefined || now.getTime() - last.getTime() >= everyHours * HOUR_MS;

/** Whether a backup is missing: a quarter of the interval after it was due, but an hour at least. */
export const isLate = (last: Date, everyHours: number, now: Date): boolean =>
  now.getTime() - last.getTime() > (everyHours + Math.max(1, everyHours / 4)) * HOUR_MS;

/** Raises or resolves the alert `backup.late`. */
export async function alertLateBackup(
  db: Db,
  now: Date,
  state: { last: Date | undefined; late: boolean; problem: string | undefined },
): Promise<void> {
  const { last, late, problem } = state;
  const what = { last: last?.toISOString() ?? 'none', ...(problem && { problem }) };
  await syncAlerts(db, now, 'backup.late', late || problem ? [{ subject: 'backup', what }] : []);
}
