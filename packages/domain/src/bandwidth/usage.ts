import { bangkokDay } from '../kernel/bangkok.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const GB = 1_000_000_000;

/** Days that are stored one by one, including today. */
const DAYS = 31;

/**
 * First and last day that are stored one by one, by the calendar of Bangkok; older ones are a
 * monthly sum (K11).
 */
export const lastDays = (now: Date): { first: string; last: string } => ({
  first: bangkokDay(new Date(now.getTime() - (DAYS - 1) * DAY_MS)),
  last: bangkokDay(now),
});

/**
 * Shares of the fair-use figure, in percent, at which a customer is notified; the greatest first.
 */
const NOTICE_SHARES = [100, 80] as const;
export type NoticeShare = (typeof NOTICE_SHARES)[number];

/**
 * Shares of the fair-use figure that were reached, the greatest first. They only cause an email:
 * nothing is cut off (M7).
 */
export const sharesReached = (usedBytes: number, dataTransferGb: number): NoticeShare[] =>
  NOTICE_SHARES.filter(percent => usedBytes * 100 >= dataTransferGb * GB * percent);
