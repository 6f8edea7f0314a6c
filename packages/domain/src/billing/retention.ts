import { bangkokDate, monthStart } from '../kernel/bangkok.ts';

/**
 * Years for which the law of a seller's country requires invoices and books to be kept, where this
 * shop knows it.
 */
const YEARS: Readonly<Record<string, number>> = {
  /** Accounting Act B.E. 2543, section 14, and Revenue Code, section 87/3. */
  TH: 5,
};
/**
 * All other countries: the longest period that is common, because keeping records too short breaks
 * the law at once.
 */
const LONGEST = 10;

/** @param country ISO 3166 code of the seller's country */
export const retentionYears = (country: string): number => YEARS[country] ?? LONGEST;

/**
 * Records whose last event is older than this may be deleted. The years count from the end of the
 * year of that event, when its books were closed.
 */
export const retainedSince = (now: Date, years: number): Date => monthStart(bangkokDate(now).year - years, 1);
