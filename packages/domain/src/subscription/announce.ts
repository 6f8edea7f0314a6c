import { nextPeriodEnd } from '../kernel/bangkok.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Another price is told of 30 days before it is asked for; one more for the email to arrive. */
const NOTICE_MS = 31 * DAY_MS;

/** What is told of at `now` is told of in time for what begins then or later. */
export const inTimeFor = (now: Date): Date => new Date(now.getTime() + 30 * DAY_MS);

/** The first instant at which a period may begin that costs something else than was agreed, told of at `now`. */
export const earliestPrice = (now: Date, from: Date): Date =>
  new Date(Math.max(from.getTime(), now.getTime() + NOTICE_MS));

/**
 * When the first period begins for which something announced holds: the first of its periods that begins at `earliest` or
 * later and is not invoiced yet.
 * @param coming when the next period begins, and whether its invoice stands already
 */
export function holdsFrom(
  coming: { anchor: Date; start: Date; cycleCount: number; invoiced: boolean },
  earliest: Date,
): Date {
  const { anchor, cycleCount, invoiced } = coming;
  let start = invoiced ? nextPeriodEnd(anchor, coming.start, cycleCount) : coming.start;
  while (start < earliest) start = nextPeriodEnd(anchor, start, cycleCount);
  return start;
}
