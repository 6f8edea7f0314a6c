import type Stripe from 'stripe';
import { book } from './booking.ts';
import { unexpectedState } from './errors.ts';
import { DISPUTE_FEE } from './fees.ts';
import { newDispute } from './objects/dispute.ts';
import { type Cause, changes, emit, type StripeState } from './state.ts';

/** The customer's bank takes the money or a part of it back (or only asks, with an inquiry). */
export function openDispute(
  state: StripeState,
  cause: Cause,
  chargeId: string,
  asks: { reason: string; inquiry: boolean; amount?: number | undefined },
): Stripe.Dispute {
  const charge = state.charges.get(chargeId);
  if (charge?.status !== 'succeeded' || charge.disputed) {
    throw unexpectedState(`Charge ${chargeId} cannot be disputed.`);
  }
  const opened = newDispute(state.ids.next('du_'), state.clock.seconds(), charge, asks);
  const dispute = asks.inquiry ? opened : withMovement(state, opened, -opened.amount, DISPUTE_FEE);
  state.disputes.put(dispute.id, dispute);
  state.charges.put(charge.id, { ...charge, disputed: true });
  emit(state, cause, 'charge.dispute.created', dispute);
  if (!asks.inquiry) emit(state, cause, 'charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

/**
 * Closes a dispute; a won one returns the money. An inquiry can only be closed.
 * @param refundable whether Stripe refunds the payment after a won dispute; it documents only
 *   `is_charge_refundable`, not when that becomes true
 */
export function closeDispute(
  state: StripeState,
  cause: Cause,
  dispute: Stripe.Dispute,
  outcome: 'won' | 'lost',
  refundable = false,
): Stripe.Dispute {
  const inquiry = dispute.status.startsWith('warning_');
  if (dispute.status !== 'needs_response' && dispute.status !== 'warning_needs_response') {
    throw unexpectedState('This dispute is already closed');
  }
  const ended: Stripe.Dispute = {
    ...dispute,
    status: inquiry ? 'warning_closed' : outcome,
    is_charge_refundable: inquiry || (outcome === 'won' && refundable),
  };
  const closed = !inquiry && outcome === 'won' ? withMovement(state, ended, dispute.amount, 0) : ended;
  state.disputes.put(dispute.id, closed);
  if (inquiry)
    state.charges.put(String(dispute.charge), {
      ...state.charges.get(String(dispute.charge))!,
      disputed: false,
    });
  emit(state, cause, 'charge.dispute.closed', closed);
  if (closed.balance_transactions.length > dispute.balance_transactions.length) {
    emit(state, cause, 'charge.dispute.funds_reinstated', closed, changes(dispute, closed));
  }
  return closed;
}

function withMovement(
  state: StripeState,
  dispute: Stripe.Dispute,
  amount: number,
  cost: number,
): Stripe.Dispute {
  const transaction = book(state, {
    amount,
    fee: () => cost,
    currency: dispute.currency,
    source: dispute.id,
    description: amount < 0 ? 'Chargeback withdrawal' : 'Chargeback reversal',
    type: 'adjustment',
    reporting_category: amount < 0 ? 'dispute' : 'dispute_reversal',
  });
  return { ...dispute, balance_transactions: [...dispute.balance_transactions, transaction] };
}
