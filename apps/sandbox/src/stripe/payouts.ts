import type Stripe from 'stripe';
import { balanceOf, book } from './booking.ts';
import { unexpectedState } from './errors.ts';
import { newPayout } from './objects/payout.ts';
import { type Cause, changes, emit, later, type StripeState } from './state.ts';

/** How long a payout is on its way to the account's bank. */
const TRANSIT_MS = 86_400_000;

/** The account's own bank. */
const BANK_ACCOUNT = 'ba_1Fixpoint0Sandbox';

/**
 * Pays out of the available balance to the account's own bank; belongs to no sale. The balance
 * falls at once. Throws 400 if it is too low (docs.stripe.com/error-codes#balance-insufficient).
 */
export function payOut(
  state: StripeState,
  cause: Cause,
  currency: string,
  amount: number,
  destination = BANK_ACCOUNT,
): Stripe.Payout {
  const available = balanceOf(state).available.find(sum => sum.currency === currency)?.amount ?? 0;
  if (amount > available) {
    throw unexpectedState('You have insufficient funds in your Stripe account for this transfer.', {
      code: 'balance_insufficient',
    });
  }
  const id = state.ids.next('po_');
  const movement = book(state, {
    amount: -amount,
    fee: () => 0,
    currency,
    source: id,
    description: 'STRIPE PAYOUT',
    type: 'payout',
    reporting_category: 'payout',
  });
  const created = state.clock.seconds();
  const payout = state.payouts.put(
    id,
    newPayout(id, created, created + TRANSIT_MS / 1_000, {
      currency,
      amount,
      movement: movement.id,
      destination,
    }),
  );
  emit(state, cause, 'payout.created', payout);
  later(state, TRANSIT_MS, { kind: 'payOut', payout: id });
  return payout;
}

/** Whether the bank can still answer so: a payout that was paid can only be returned. */
export const canArrive = ({ status }: Stripe.Payout, outcome: 'paid' | 'failed'): boolean =>
  status === 'in_transit' || (status === 'paid' && outcome === 'failed');

/** Records the bank's answer. A payout that fails returns to the balance. */
export function settlePayout(
  state: StripeState,
  cause: Cause,
  payout: Stripe.Payout,
  outcome: 'paid' | 'failed',
): Stripe.Payout {
  if (!canArrive(payout, outcome)) {
    throw unexpectedState(`This payout is ${payout.status} and cannot become ${outcome}.`);
  }
  const settled = state.payouts.put(payout.id, {
    ...payout,
    status: outcome,
    trace_id: { status: 'unsupported', value: null },
    ...(outcome === 'failed' && {
      failure_balance_transaction: returned(state, payout).id,
      failure_code: 'account_closed',
      failure_message: 'The bank account has been closed',
    }),
  });
  emit(state, cause, `payout.${outcome}`, settled, changes(payout, settled));
  return settled;
}

const returned = (state: StripeState, { id, amount, currency }: Stripe.Payout) =>
  book(state, {
    amount,
    fee: () => 0,
    currency,
    source: id,
    description: 'STRIPE PAYOUT FAILURE',
    type: 'payout_failure',
    reporting_category: 'payout_reversal',
  });
