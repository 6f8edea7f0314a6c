import type Stripe from 'stripe';
import { settled } from './exchange.ts';
import { chargeFee } from './fees.ts';
import { type Movement, newBalanceTransaction } from './objects/balance-transaction.ts';
import { type Cause, emit, type StripeState } from './state.ts';

/** A charge's money can be paid out after two days; what goes out leaves at once. */
const HOLD_SECONDS = 2 * 86_400;

/** What moves, in the currency of the sale, and what it costs in the currency that the balance is kept in. */
type Moves = Omit<Movement, 'fee' | 'exchange_rate'> & { fee(amount: number, currency: string): number };

/** Moves the account's balance, in the currency that it settles in. */
export function book(state: StripeState, moves: Moves, holdSeconds = 0): Stripe.BalanceTransaction {
  const created = state.clock.seconds();
  const booked = settled(state, moves.amount, moves.currency);
  const movement = { ...moves, ...booked, fee: moves.fee(booked.amount, booked.currency) };
  const transaction = newBalanceTransaction(state.ids.next('txn_'), created, created + holdSeconds, movement);
  return state.balance.put(transaction.id, transaction);
}

/** Books a charge that was answered before, and tells of it. */
export function bookCharge(state: StripeState, cause: Cause, id: string): void {
  const charge = state.charges.get(id);
  if (!charge || charge.balance_transaction) return;
  emit(state, cause, 'charge.updated', booked(state, charge), { balance_transaction: null });
}

/** A charge with its fee in the books. */
export function booked(state: StripeState, charge: Stripe.Charge): Stripe.Charge {
  const transaction = book(
    state,
    {
      amount: charge.amount,
      fee: chargeFee,
      currency: charge.currency,
      source: charge.id,
      description: charge.description,
      type: charge.payment_method_details?.type === 'card' ? 'charge' : 'payment',
      reporting_category: 'charge',
    },
    HOLD_SECONDS,
  );
  return state.charges.put(charge.id, { ...charge, balance_transaction: transaction.id });
}

/** The account's own bank gets money; that is no sale's. */
export const payOut = (state: StripeState, currency: string, amount: number): Stripe.BalanceTransaction =>
  book(state, {
    amount: -amount,
    fee: () => 0,
    currency,
    source: state.ids.next('po_'),
    description: 'STRIPE PAYOUT',
    type: 'payout',
    reporting_category: 'payout',
  });

/** A movement as it stands now: what was held becomes available by time alone. */
export function withCurrentStatus(
  state: StripeState,
  transaction: Stripe.BalanceTransaction,
): Stripe.BalanceTransaction {
  return transaction.available_on <= state.clock.seconds()
    ? { ...transaction, status: 'available' }
    : transaction;
}

/** The account's money by currency, in minor units: what can be paid out and what is still held. */
export function balanceOf(state: StripeState): Stripe.Balance {
  const sums = (status: string): Stripe.Balance.Available[] => {
    const byCurrency = new Map([['thb', 0]]);
    for (const row of state.balance.all()) {
      const sum = byCurrency.get(row.currency) ?? 0;
      byCurrency.set(row.currency, sum + (withCurrentStatus(state, row).status === status ? row.net : 0));
    }
    return [...byCurrency].map(([currency, amount]) => ({
      amount,
      currency,
      source_types: { card: amount },
    }));
  };
  return { object: 'balance', available: sums('available'), livemode: false, pending: sums('pending') };
}
