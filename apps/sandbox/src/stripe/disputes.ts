import type Stripe from 'stripe';
import { book } from './booking.ts';
import { unexpectedState } from './errors.ts';
import { DISPUTE_FEE } from './fees.ts';
import { newDispute } from './objects/dispute.ts';
import { type Cause, changes, emit, type World } from './world.ts';

/** The customer's bank takes the money, or a part of it, back (or, as an inquiry, only asks). */
export function openDispute(
  world: World,
  cause: Cause,
  chargeId: string,
  asks: { reason: string; inquiry: boolean; amount?: number | undefined },
): Stripe.Dispute {
  const charge = world.charges.get(chargeId);
  if (charge?.status !== 'succeeded' || charge.disputed) {
    throw unexpectedState(`Charge ${chargeId} cannot be disputed.`);
  }
  const opened = newDispute(world.ids.next('du_'), world.clock.seconds(), charge, asks);
  const dispute = asks.inquiry ? opened : withMovement(world, opened, -opened.amount, DISPUTE_FEE);
  world.disputes.put(dispute.id, dispute);
  world.charges.put(charge.id, { ...charge, disputed: true });
  emit(world, cause, 'charge.dispute.created', dispute);
  if (!asks.inquiry) emit(world, cause, 'charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

/** Ends a dispute; won, the money comes back. An inquiry can only be closed. */
export function closeDispute(
  world: World,
  cause: Cause,
  dispute: Stripe.Dispute,
  outcome: 'won' | 'lost',
): Stripe.Dispute {
  const inquiry = dispute.status.startsWith('warning_');
  if (dispute.status !== 'needs_response' && dispute.status !== 'warning_needs_response') {
    throw unexpectedState('This dispute is already closed');
  }
  const ended: Stripe.Dispute = { ...dispute, status: inquiry ? 'warning_closed' : outcome };
  const closed = !inquiry && outcome === 'won' ? withMovement(world, ended, dispute.amount, 0) : ended;
  world.disputes.put(dispute.id, closed);
  if (inquiry)
    world.charges.put(String(dispute.charge), {
      ...world.charges.get(String(dispute.charge))!,
      disputed: false,
    });
  emit(world, cause, 'charge.dispute.closed', closed);
  if (closed.balance_transactions.length > dispute.balance_transactions.length) {
    emit(world, cause, 'charge.dispute.funds_reinstated', closed, changes(dispute, closed));
  }
  return closed;
}

function withMovement(world: World, dispute: Stripe.Dispute, amount: number, cost: number): Stripe.Dispute {
  const transaction = book(world, {
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
