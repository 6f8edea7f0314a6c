import { fromProviderUnit } from '@fixpoint/domain/kernel/money.ts';
import type Stripe from 'stripe';

/** Something of a sale that has moved the balance: a charge, a refund, a dispute. Its amount is in Stripe's unit. */
export type Of = { currency: string; amount: number };
type Moved = Pick<Stripe.BalanceTransaction, 'amount' | 'fee' | 'currency'>;

/**
 * What its movements have moved, and cost, in the currency of the sale, which our books are in. Where the balance is
 * kept in another, each has moved the whole amount, out or back, whatever the exchange made of it, and its fee is turned
 * back by the rate of the same movement.
 * @returns integer hundredths
 */
export function movedOf({ currency, amount }: Of, moved: readonly Moved[]): { amount: number; fee: number } {
  const sum = (of: (each: Moved) => number) =>
    fromProviderUnit(
      currency,
      moved.reduce((total, each) => total + of(each), 0),
    );
  const isOwn = (each: Moved) => each.currency.toLowerCase() === currency.toLowerCase();
  // A fee that is booked by itself has no rate: it has that of what it is for.
  const main = moved.find(each => each.amount !== 0);
  const turnedBack = (each: Moved) => {
    const by = each.amount === 0 ? main : each;
    return by ? Math.round((each.fee * amount) / Math.abs(by.amount)) : 0;
  };
  return {
    amount: sum(each => (isOwn(each) ? each.amount : Math.sign(each.amount) * amount)),
    fee: sum(each => (isOwn(each) ? each.fee : turnedBack(each))),
  };
}
