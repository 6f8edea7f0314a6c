import { fromProviderUnit } from '@fixpoint/domain/kernel/money.ts';
import type Stripe from 'stripe';

/**
 * Object of a sale that has moved the balance: a charge, a refund, a dispute. Its amount is in
 * Stripe's unit.
 */
export type Of = { currency: string; amount: number };
type Moved = Pick<Stripe.BalanceTransaction, 'amount' | 'fee' | 'currency'>;

/**
 * Effect and cost of movements in the currency of the sale, which our books use. If the balance has
 * another currency, a movement counts as the full amount, whatever the exchange rate, and its fee
 * is converted back at the same rate.
 * @param main the movement of the sale itself
 * @returns integer hundredths
 */
export function movedOf(
  { currency, amount }: Of,
  moved: readonly Moved[],
  // A fee that is booked separately has no rate and uses that of its sale.
  main = moved.find(each => each.amount !== 0),
): { amount: number; fee: number } {
  const sum = (of: (each: Moved) => number) =>
    fromProviderUnit(
      currency,
      moved.reduce((total, each) => total + of(each), 0),
    );
  const isOwn = (each: Moved) => each.currency.toLowerCase() === currency.toLowerCase();
  const convertedBack = (each: Moved) => {
    const by = each.amount === 0 ? main : each;
    return by ? Math.round((each.fee * amount) / Math.abs(by.amount)) : 0;
  };
  return {
    amount: sum(each => (isOwn(each) ? each.amount : Math.sign(each.amount) * amount)),
    fee: sum(each => (isOwn(each) ? each.fee : convertedBack(each))),
  };
}
