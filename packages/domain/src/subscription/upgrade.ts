import { type Minor, wholeUnits } from '../kernel/money.ts';
import type { Period } from './subscription.ts';

const DAY_MS = 24 * 60 * 60_000;

/** A period that is paid, with what it is paid at and what it would be with the other plan; both for all of its days. */
type PaidPeriod = {
  period: Period;
  /** Gross. What the plan of now costs in it, as it was paid. */
  worth: Minor;
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

/** Days of a period. It keeps its hour and Bangkok its offset, so that they are whole. */
const daysOf = ({ start, end }: Period): number => Math.round((end.getTime() - start.getTime()) / DAY_MS);

/** Days of a period that are left. The day that has begun counts: it is paid with either plan, and credited in full. */
const daysLeft = (period: Period, now: Date): number =>
  Math.max(0, Math.min(daysOf(period), Math.ceil((period.end.getTime() - now.getTime()) / DAY_MS)));

/**
 * What changing the plan at once costs: what was paid for the days that are left is credited, and the other plan is
 * charged for the same days. A period that is paid ahead counts in full.
 * @param paid the period of now, and the next one where that is paid already
 * @param givenBack what went back of that money since it was last reckoned: nobody is credited what he no longer paid
 */
export function changeAtOnce(
  currency: string,
  now: Date,
  paid: readonly PaidPeriod[],
  givenBack: Minor,
): PlanChange {
  let [days, unused, price] = [0, 0, 0];
  for (const one of paid) {
    const [left, all] = [daysLeft(one.period, now), daysOf(one.period)];
    days += left;
    unused += wholeUnits(currency, (one.worth * left) / all);
    price += wholeUnits(currency, (one.price * left) / all);
  }
  unused = Math.max(0, unused - givenBack);
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
