import type { Period } from './subscription.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Days of a period. Always whole, because a period keeps its hour and Bangkok its offset. */
export const daysOf = ({ start, end }: Period): number =>
  Math.round((end.getTime() - start.getTime()) / DAY_MS);

/** Remaining days of a period, including the current one, which an upgrade charges again. */
export const daysLeft = (period: Period, now: Date): number =>
  Math.max(0, Math.min(daysOf(period), Math.ceil((period.end.getTime() - now.getTime()) / DAY_MS)));

/**
 * Days of a period that have not begun: what a replacement or withdrawal refunds. The current day is
 * used, because whoever repeats one every day would otherwise be served for nothing.
 */
export const daysUnused = (period: Period, now: Date): number =>
  now < period.start ? daysOf(period) : Math.max(0, daysLeft(period, now) - 1);
