import { type Minor, wholeUnits } from '../kernel/money.ts';
import { daysLeft, daysOf } from './days.ts';
import type { Period, SubscriptionStatus } from './subscription.ts';

/**
 * What comes back to a buyer who withdraws, by the law of his country: all that he paid, or all but the days that he has
 * used.
 */
export type Returns = 'full' | 'days';

/** 14 days, and the day of the contract is none of them: wherever its buyer lives, his fourteenth is over by then. */
const WITHDRAWAL_MS = 15 * 24 * 60 * 60_000;

/** A contract as it stands: of an order, not of a renewal. All money gross. */
export type Contract = {
  /** When its first order was paid. */
  concludedAt: Date;
  /** What was paid for it and has not gone back. */
  left: Minor;
  /** The periods that were granted, and what all of the days of each are paid at. */
  periods: readonly { period: Period; worth: Minor }[];
  /** What was paid for a period that has not begun. */
  unbegun: Minor;
  /** What went back since its days were last reckoned, as an upgrade does: nobody gets back what he has back. */
  refunded: Minor;
};

/** The first moment at which nobody can withdraw any more. */
export const withdrawableUntil = (concludedAt: Date): Date => new Date(concludedAt.getTime() + WITHDRAWAL_MS);

/** What was paid runs within a minute; who waits longer than this waits for a host. */
const SET_UP_MS = 60 * 60_000;

/**
 * Whether its customer can step back from what he has paid and waits for, wherever he lives and however long he waits, with
 * all that he paid: nothing of it was given. Not before it should have run: the address of whoever steps back is held for him,
 * and would cost nothing. Nor where unused days of another one paid a part: that one serves him meanwhile.
 */
export const canStepBack = (
  waiting: { status: SubscriptionStatus; concludedAt: Date; prorated: Minor },
  now: Date,
): boolean =>
  waiting.status === 'provisioning' &&
  waiting.prorated === 0 &&
  now.getTime() - waiting.concludedAt.getTime() >= SET_UP_MS;

/** What comes back at `now`; undefined when it is too late. Days are whole, and the one that has begun is not used. */
export function refundable(currency: string, now: Date, by: Returns, contract: Contract): Minor | undefined {
  const { concludedAt, left, periods, unbegun, refunded } = contract;
  if (now >= withdrawableUntil(concludedAt)) return undefined;
  if (by === 'full') return left;
  const unused = periods.map(({ period, worth }) =>
    wholeUnits(currency, (worth * daysLeft(period, now)) / daysOf(period)),
  );
  const unusedAll = unused.reduce((sum, one) => sum + one, unbegun);
  return Math.min(left, Math.max(0, unusedAll - refunded));
}

/**
 * Which invoices an amount is taken back from: money goes back before credit does, since the law wants it the way it
 * came.
 * @param invoices what of each was paid with money, and with credit
 */
export function splitRefund<I extends { money: Minor }>(
  amount: Minor,
  invoices: readonly I[],
): { parts: { invoice: I; money: Minor }[]; credit: Minor } {
  let credit = amount;
  const parts = invoices.map(invoice => {
    const money = Math.min(credit, invoice.money);
    credit -= money;
    return { invoice, money };
  });
  return { parts: parts.filter(({ money }) => money > 0), credit };
}
