import { nextPeriodEnd } from '../kernel/bangkok.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Notice period of a new price: 30 days, and one more for the email to arrive. */
const NOTICE_MS = 31 * DAY_MS;

/** The same notice period before the day of a rate of VAT. */
export const VAT_NOTICE_MS = NOTICE_MS;
/** An invoice that its customer pays themselves is sent, and may be paid, this long before its period. */
const ASKED_BEFORE_MS = 7 * DAY_MS;

/** Subscriptions whose period ends by then are told now of the rate of VAT that their next payment has (B22). */
export const vatNoticeUntil = (now: Date): Date => new Date(now.getTime() + VAT_NOTICE_MS + ASKED_BEFORE_MS);

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
