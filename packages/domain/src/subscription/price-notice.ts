import { nextPeriodEnd } from '../kernel/bangkok.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Notice period of a new price: 30 days, and one more for the email to arrive. */
const NOTICE_MS = 31 * DAY_MS;

/** A notice at `now` is in time for periods that begin at this instant or later. */
export const noticeCovers = (now: Date): Date => new Date(now.getTime() + 30 * DAY_MS);

/** First instant at which a period may begin at a new price, with a notice at `now`. */
export const earliestPriceChange = (now: Date, from: Date): Date =>
  new Date(Math.max(from.getTime(), now.getTime() + NOTICE_MS));

/**
 * Start of the first period to which an announced change applies: it begins at `earliest` or later
 * and has no invoice yet.
 * @param coming start of the next period, and whether its invoice exists already
 */
export function effectiveFrom(
  coming: { anchor: Date; start: Date; cycleCount: number; invoiced: boolean },
  earliest: Date,
): Date {
  const { anchor, cycleCount, invoiced } = coming;
  let start = invoiced ? nextPeriodEnd(anchor, coming.start, cycleCount) : coming.start;
  while (start < earliest) start = nextPeriodEnd(anchor, start, cycleCount);
  return start;
}
