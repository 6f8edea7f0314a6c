const DAY_MS = 24 * 60 * 60_000;
/** Bangkok is seven hours ahead of UTC, all year. */
const AHEAD_MS = 7 * 60 * 60_000;

/** The Bangkok day of an instant, as `2027-01-31`. */
export const dayIn = (at: Date): string => new Date(at.getTime() + AHEAD_MS).toISOString().slice(0, 10);

/** The same hour in Bangkok, `months` later; the last day of a month that is too short. */
export function monthsAfter(anchor: Date, months: number): Date {
  const local = new Date(anchor.getTime() + AHEAD_MS);
  const [year, month, day] = [local.getUTCFullYear(), local.getUTCMonth() + months, local.getUTCDate()];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const time = local.getTime() % DAY_MS;
  return new Date(Date.UTC(year, month, Math.min(day, last)) + time - AHEAD_MS);
}

/** A day as an English email names it: `January 31, 2027`. */
export function dayInEnglish(at: Date): string {
  const [year, month, day] = dayIn(at).split('-').map(Number) as [number, number, number];
  const names = 'January February March April May June July August September October November December'.split(
    ' ',
  );
  return `${names[month - 1]} ${day}, ${year}`;
}

/** Whole days of a period, and those that have not ended or not begun at an instant. */
export function daysIn(period: { starts_at: Date; ends_at: Date }, now: Date) {
  const all = Math.round((period.ends_at.getTime() - period.starts_at.getTime()) / DAY_MS);
  const left = (period.ends_at.getTime() - Math.max(now.getTime(), period.starts_at.getTime())) / DAY_MS;
  return { all, left: Math.ceil(left), unbegun: Math.ceil(left) - 1 };
}
