import { bangkokDate, monthStart } from '../kernel/bangkok.ts';

/** Years for which the law of a seller's country has invoices and books kept, where this shop knows it. */
const YEARS: Readonly<Record<string, number>> = {
  /** Accounting Act B.E. 2543, section 14, and Revenue Code, section 87/3. */
  TH: 5,
};
/** Of all others: as long as the longest that is common. Who keeps too long breaks a rule later than who keeps too short. */
const LONGEST = 10;

/** @param country ISO 3166 code of the seller's */
export const keptYears = (country: string): number => YEARS[country] ?? LONGEST;

/**
 * What nothing has happened to since then is kept no longer: the years count from the end of the year in which something
 * last did, when its books were closed.
 */
export const keptSince = (now: Date, years: number): Date => monthStart(bangkokDate(now).year - years, 1);
