import { type Minor, wholeUnits } from '../kernel/money.ts';
import { daysLeft, daysOf } from './days.ts';
import type { Period } from './subscription.ts';

/** A period that is paid, with what all of its days are paid at, gross. */
type WorthPeriod = { period: Period; worth: Minor };

/** The same with what it would cost with the other plan. */
type PaidPeriod = WorthPeriod & {
  /** Gross. What the other plan costs in it. */
  price: Minor;
};

/** What another plan costs for the days that are left. All gross; `price + rest = unused + charge`. */
type PlanChange = {
  /** Days that are left, with the one that has begun. */
  days: number;
  /** What was paid for them. */
  unused: Minor;
  /** What they cost with the other plan. */
  price: Minor;
  /** What is to be paid for them. */
  charge: Minor;
  /** What was paid for them beyond that: its customer's credit. */
  rest: Minor;
};

/**
 * What was paid for the days that are left. The day that has begun counts as one, and a period that is paid ahead in full.
 * @param refunded what went back of that money since it was last reckoned: nobody is credited what he no longer paid
 */
export function unusedOf(
  currency: string,
  now: Date,
  paid: readonly WorthPeriod[],
  refunded: Minor,
): { days: number; unused: Minor } {
  let [days, unused] = [0, 0];
  for (const { period, worth } of paid) {
    const left = daysLeft(period, now);
    days += left;
    unused += wholeUnits(currency, (worth * left) / daysOf(period));
  }
  return { days, unused: Math.max(0, unused - refunded) };
}

/**
 * What changing the plan at once costs: what was paid for the days that are left is credited, and the other plan is
 * charged for the same days. The day that has begun counts: it is paid with either plan, and credited in full. A period
 * that is paid ahead counts in full.
 * @param paid the period of now, and the next one where that is paid already
 * @param refunded what went back of that money since it was last reckoned: nobody is credited what he no longer paid
 */
export function changeAtOnce(
  currency: string,
  now: Date,
  paid: readonly PaidPeriod[],
  refunded: Minor,
): PlanChange {
  const { days, unused } = unusedOf(currency, now, paid, refunded);
  const price = paid.reduce(
    (sum, one) => sum + wholeUnits(currency, (one.price * daysLeft(one.period, now)) / daysOf(one.period)),
    0,
  );
  return { days, unused, price, charge: Math.max(0, price - unused), rest: Math.max(0, unused - price) };
}

/** Which keys a plan with fewer devices has no room for: those that were made last. */
export const surplusKeys = <K extends { createdAt: Date; id: string }>(
  keys: readonly K[],
  devices: number,
): K[] =>
  [...keys]
    .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1))
    .slice(devices);
