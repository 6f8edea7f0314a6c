import { type Minor, wholeUnits } from '../kernel/money.ts';
import { daysLeft, daysOf, daysUnused } from './days.ts';
import type { Period } from './subscription.ts';

/** A paid period with the amount that all of its days were paid with, gross. */
type WorthPeriod = { period: Period; worth: Minor };

/** The same with its price on the other plan. */
type PaidPeriod = WorthPeriod & {
  /** Gross price of the period on the other plan. */
  price: Minor;
};

/** Cost of a plan change for the remaining days. All gross; `price + rest = unused + charge`. */
type PlanChange = {
  /** Remaining days, including the current one. */
  days: number;
  /** Proration credit: what was paid for them. */
  unused: Minor;
  /** Their price on the other plan. */
  price: Minor;
  /** Amount due for them. */
  charge: Minor;
  /** Proration credit beyond the price, which becomes the customer's credit. */
  rest: Minor;
};

/**
 * Proration credit of a subscription that is replaced, for the days that have not begun. A period that is
 * paid ahead counts in full.
 * @param refunded refunds of that money since it was last computed, which are not credited
 */
export const replacementCredit = (
  currency: string,
  now: Date,
  paid: readonly WorthPeriod[],
  refunded: Minor,
): ProrationCredit => prorationCredit(currency, paid, refunded, period => daysUnused(period, now));

type ProrationCredit = { days: number; unused: Minor };

function prorationCredit(
  currency: string,
  paid: readonly WorthPeriod[],
  refunded: Minor,
  daysIn: (period: Period) => number,
): ProrationCredit {
  let [days, unused] = [0, 0];
  for (const { period, worth } of paid) {
    const left = daysIn(period);
    days += left;
    unused += wholeUnits(currency, (worth * left) / daysOf(period));
  }
  return { days, unused: Math.max(0, unused - refunded) };
}

/**
 * Cost of changing the plan at once: credits what was paid for the remaining days, and charges the
 * other plan for the same days, including the current one.
 * @param paid the current period, and the next one where that is paid already, which counts in full
 * @param refunded refunds of that money since it was last computed, which are not credited
 */
export function changeAtOnce(
  currency: string,
  now: Date,
  paid: readonly PaidPeriod[],
  refunded: Minor,
): PlanChange {
  const { days, unused } = prorationCredit(currency, paid, refunded, period => daysLeft(period, now));
  const price = paid.reduce(
    (sum, one) => sum + wholeUnits(currency, (one.price * daysLeft(one.period, now)) / daysOf(one.period)),
    0,
  );
  return { days, unused, price, charge: Math.max(0, price - unused), rest: Math.max(0, unused - price) };
}

/** The newest keys, for which a plan with fewer devices has no room. */
export const surplusKeys = <K extends { createdAt: Date; id: string }>(
  keys: readonly K[],
  devices: number,
): K[] =>
  [...keys]
    .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1))
    .slice(devices);
