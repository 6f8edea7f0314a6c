import { type Minor, wholeUnits } from '../kernel/money.ts';
import { daysOf, daysUnused } from './days.ts';
import type { Period, SubscriptionStatus } from './subscription.ts';

/**
 * Refund after a withdrawal, by the law of the buyer's country: everything, or everything but the
 * used days.
 */
export type Returns = 'full' | 'days';

/** 14 days after the day of the contract, with a margin for the time zone of the buyer. */
const WITHDRAWAL_MS = 15 * 24 * 60 * 60_000;

/** A contract of an order (not of a renewal). All money gross. */
export type Contract = {
  /** When its first order was paid. */
  concludedAt: Date;
  /** Paid for it and not refunded. */
  left: Minor;
  /** The granted periods, with the amount that all days of each were paid with. */
  periods: readonly { period: Period; worth: Minor }[];
  /** Paid for a period that has not begun. */
  unbegun: Minor;
  /** Refunds since its days were last computed, as by an upgrade; they are not refunded again. */
  refunded: Minor;
};

/** Whoever has withdrawn and buys again within this time has no second right for what they buy. */
const NO_SECOND_RIGHT_MS = 30 * 24 * 60 * 60_000;

/**
 * What a withdrawal from a contract refunds after earlier withdrawals of its customer: in full only
 * once, and nothing for a contract that was concluded soon after one. Buying and withdrawing in turn
 * would otherwise be free. Stepping back from a subscription that never ran is no withdrawal.
 * @param by the law of the customer's country
 * @returns undefined where there is no right
 */
export function returnsAfter(
  by: Returns,
  concludedAt: Date,
  withdrawals: readonly Date[],
): Returns | undefined {
  const since = withdrawals.map(at => concludedAt.getTime() - at.getTime());
  if (since.some(ms => ms >= 0 && ms < NO_SECOND_RIGHT_MS)) return undefined;
  return withdrawals.length > 0 ? 'days' : by;
}

/** First instant at which the customer cannot withdraw any more. */
export const withdrawableUntil = (concludedAt: Date): Date => new Date(concludedAt.getTime() + WITHDRAWAL_MS);

/** A paid subscription runs within a minute; one that waits longer than this waits for a host. */
const SET_UP_MS = 60 * 60_000;

/**
 * Whether the customer can step back from a paid subscription that waits for a host, for a full
 * refund. Not before it should have run: its address stays reserved, so stepping back at once would
 * reserve one for free. Not where unused days of another subscription paid a part, because that one
 * serves them meanwhile.
 */
export const canStepBack = (
  waiting: { status: SubscriptionStatus; concludedAt: Date; prorated: Minor },
  now: Date,
): boolean =>
  waiting.status === 'provisioning' &&
  waiting.prorated === 0 &&
  now.getTime() - waiting.concludedAt.getTime() >= SET_UP_MS;

/**
 * Amount to refund at `now`; undefined after the deadline. Days are whole, and the current one is
 * used.
 */
export function refundable(currency: string, now: Date, by: Returns, contract: Contract): Minor | undefined {
  const { concludedAt, left, periods, unbegun, refunded } = contract;
  if (now >= withdrawableUntil(concludedAt)) return undefined;
  if (by === 'full') return left;
  const unused = periods.map(({ period, worth }) =>
    wholeUnits(currency, (worth * daysUnused(period, now)) / daysOf(period)),
  );
  const unusedAll = unused.reduce((sum, one) => sum + one, unbegun);
  return Math.min(left, Math.max(0, unusedAll - refunded));
}

/**
 * Splits a refund over invoices. Money is refunded before credit, because the law requires refunds
 * by the original method.
 * @param invoices amount of each that was paid with money; the rest was paid with credit
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
