import type { Minor } from '../kernel/money.ts';

/**
 * Most that a customer may owe for rests that were carried, as a multiple of the least payment: a
 * few plan changes near the end of a period.
 */
const MOST = 2;

/**
 * Whether the rest of an invoice is carried to the customer's next renewal instead of being paid.
 * @param least minimum charge by card
 * @param takes whether any payment method of the shop takes an amount
 * @param owed rests of earlier invoices that are carried already
 */
export const isCarried = (
  rest: Minor,
  { least, owed, takes }: { least: Minor; owed: Minor; takes: (amount: Minor) => boolean },
): boolean => rest > 0 && rest < least && !takes(rest) && rest + owed < MOST * least;
