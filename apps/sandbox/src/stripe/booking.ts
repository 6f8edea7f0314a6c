import type Stripe from 'stripe';
import { settled } from './exchange.ts';
import { chargeFee } from './fees.ts';
import { type Movement, newBalanceTransaction } from './objects/balance-transaction.ts';
import { type Cause, emit, type StripeState } from './state.ts';

/** A charge becomes available after two days; outgoing money leaves at once. */
const HOLD_SECONDS = 2 * 86_400;

/** Amount in the currency of the sale, and its fee in the settlement currency. */
type Moves = Omit<Movement, 'fee' | 'exchange_rate'> & { fee(amount: number, currency: string): number };

/** Books a movement of the balance in the settlement currency. */
export function book(state: StripeState, moves: Moves, holdSeconds = 0): Stripe.BalanceTransaction {
  const created = state.clock.seconds();
  const booked = settled(state, moves.amount, moves.currency);
  const movement = { ...moves, ...booked, fee: moves.fee(booked.amount, booked.currency) };
  const transaction = newBalanceTransaction(state.ids.next('txn_'), created, created + holdSeconds, movement);
  return state.balance.put(transaction.id, transaction);
}

/** Books a charge after its answer, and publishes it. */
export function bookCharge(state: StripeState, cause: Cause, id: string): void {
  const charge = state.charges.get(id);
  if (!charge || charge.balance_transaction) return;
  emit(state, cause, 'charge.updated', booked(state, charge), { balance_transaction: null });
}

/** Returns the charge with its fee booked. */
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

/** Returns a movement in its current status: pending ones become available over time. */
export function withCurrentStatus(
  state: StripeState,
  transaction: Stripe.BalanceTransaction,
): Stripe.BalanceTransaction {
  return transaction.available_on <= state.clock.seconds()
    ? { ...transaction, status: 'available' }
    : transaction;
}

/** Returns the balance by currency, in minor units: available and pending. */
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
