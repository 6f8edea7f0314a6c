import type { Period } from './subscription.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Days of a period. It keeps its hour and Bangkok its offset, so that they are whole. */
export const daysOf = ({ start, end }: Period): number =>
  Math.round((end.getTime() - start.getTime()) / DAY_MS);

/** Days of a period that are left. The day that has begun counts as one. */
export const daysLeft = (period: Period, now: Date): number =>
  Math.max(0, Math.min(daysOf(period), Math.ceil((period.end.getTime() - now.getTime()) / DAY_MS)));
