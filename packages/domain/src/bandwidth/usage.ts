import { bangkokDay } from '../kernel/bangkok.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const GB = 1_000_000_000;

/** So many days are kept one by one, today among them. */
const DAYS = 31;

/** The days that are kept one by one, as Bangkok counts them; what is older is a month's sum alone (K11). */
export const lastDays = (now: Date): { first: string; last: string } => ({
  first: bangkokDay(new Date(now.getTime() - (DAYS - 1) * DAY_MS)),
  last: bangkokDay(now),
});

/** Shares of the fair-use figure that a customer is told of, in percent, the greatest first. */
const TOLD = [100, 80] as const;
export type ToldShare = (typeof TOLD)[number];

/**
 * Shares of the fair-use figure that were reached, the greatest first. Nothing follows but an email: no volume is ever cut
 * off (M7).
 */
export const sharesReached = (usedBytes: number, dataTransferGb: number): ToldShare[] =>
  TOLD.filter(percent => usedBytes * 100 >= dataTransferGb * GB * percent);
