/** Calendar arithmetic in Asia/Bangkok: UTC+7 the whole year, no daylight saving. */
const OFFSET_MS = 7 * 60 * 60 * 1000;

/** Date parts of an instant as a clock in Bangkok shows them. `month` is 1–12. */
export function bangkokDate(at: Date): { year: number; month: number; day: number } {
  const local = new Date(at.getTime() + OFFSET_MS);
  return { year: local.getUTCFullYear(), month: local.getUTCMonth() + 1, day: local.getUTCDate() };
}

/** Day of an instant in Bangkok, `2026-11-21`. */
export const bangkokDay = (at: Date): string => new Date(at.getTime() + OFFSET_MS).toISOString().slice(0, 10);

/** Number of midnights in Bangkok from one instant to a later one; negative to an earlier one. */
export const bangkokDaysBetween = (from: Date, to: Date): number =>
  (Date.parse(bangkokDay(to)) - Date.parse(bangkokDay(from))) / (24 * 60 * 60 * 1000);

/** Month of an instant in Bangkok, `2026-11`. */
export function bangkokMonth(at: Date): string {
  const { year, month } = bangkokDate(at);
  return `${year}-${String(month).padStart(2, '0')}`;
}

/**
 * The instant at which a month begins. @param month 1–12; larger numbers continue into the next
 * year
 */
export const monthStart = (year: number, month: number): Date =>
  new Date(Date.UTC(year, month - 1, 1) - OFFSET_MS);

/**
 * The end of a period of `months` months that began at `anchor`. It counts from the anchor, never
 * from the previous period, so that 31 January gives 28 February and then 31 March (B11).
 */
export function periodEnd(anchor: Date, months: number): Date {
  const local = new Date(anchor.getTime() + OFFSET_MS);
  const day = local.getUTCDate();
  const target = new Date(local);
  target.setUTCDate(1);
  target.setUTCMonth(target.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate();
  target.setUTCDate(Math.min(day, lastDay));
  return new Date(target.getTime() - OFFSET_MS);
}

/**
 * The end of the period after the one that ended at `end`, counted in months from the anchor like
 * every other.
 * @param end an end that {@link periodEnd} returned for the same anchor
 */
export function nextPeriodEnd(anchor: Date, end: Date, months: number): Date {
  const [from, to] = [bangkokDate(anchor), bangkokDate(end)];
  const passed = (to.year - from.year) * 12 + (to.month - from.month);
  return periodEnd(anchor, passed + months);
}
