import type Stripe from 'stripe';
import { book } from './booking.ts';
import { unexpectedState } from './errors.ts';
import { testCardOf } from './methods.ts';
import { money } from './money.ts';
import { newRefund } from './objects/refund.ts';
import { type Cause, changes, emit, later, type StripeState } from './state.ts';

/** How long a bank takes for a refund that does not succeed at once. */
const BANK_MS = 3_000;

const DAY_SECONDS = 86_400;
const WINDOW = 'window';

/**
 * Sets for how many days a payment can be refunded; undefined: without end, as Stripe publishes no
 * limit for cards and PromptPay. Code and message of the refusal: docs.stripe.com/error-codes
 * #charge-not-refundable, github.com/woocommerce/woocommerce-gateway-stripe/issues/4778.
 */
export function limitRefunds({ refundWindow }: StripeState, days: number | undefined): void {
  if (days === undefined) refundWindow.delete(WINDOW);
  else refundWindow.put(WINDOW, { days });
}

const isUnderWay = ({ status }: Stripe.Refund) => status === 'pending' || status === 'requires_action';

/** Amount of a charge that is neither refunded nor being refunded. */
function refundable(state: StripeState, charge: Stripe.Charge): number {
  const open = state.refunds.all().filter(refund => refund.charge === charge.id && isUnderWay(refund));
  return (
    charge.amount_captured - charge.amount_refunded - open.reduce((sum, refund) => sum + refund.amount, 0)
  );
}

/**
 * Creates a refund. Test card 7726 stays pending for a while, 5126 fails later, PromptPay waits for
 * the customer's bank details. A pending refund raises `amount_refunded`, and publishes the charge
 * as refunded, only when it succeeds.
 */
export function createRefund(
  state: StripeState,
  cause: Cause,
  charge: Stripe.Charge,
  wanted: { amount?: number; reason: Stripe.Refund.Reason | null; metadata: Stripe.Metadata },
): Stripe.Refund {
  checkRefundable(state, charge, wanted.amount);
  const amount = wanted.amount ?? refundable(state, charge);
  const id = state.ids.next('re_');
  const method = state.paymentMethods.get(String(charge.payment_method));
  const promptPay = method?.type === 'promptpay';
  const behaviour = method && testCardOf(state, method)?.refund;
  const made: Stripe.Refund = {
    ...newRefund(id, state.clock.seconds(), amount, charge, wanted.reason, wanted.metadata),
    status: promptPay ? 'requires_action' : 'pending',
    ...(promptPay && {
      instructions_email: method.billing_details.email ?? undefined,
      next_action: {
        type: 'display_details',
        display_details: {
          email_sent: {
            email_sent_at: state.clock.seconds(),
            email_sent_to: method.billing_details.email ?? '',
          },
          expires_at: state.clock.seconds() + 45 * 86_400,
        },
      },
    }),
  };
  const refund = state.refunds.put(id, behaviour === 'pending' || promptPay ? made : succeed(state, made));
  emit(state, cause, 'refund.created', refund);
  if (refund.status === 'succeeded') emit(state, cause, 'charge.refunded', state.charges.get(charge.id)!);
  if (behaviour) settleLater(state, id, behaviour === 'fails' ? 'failed' : 'succeeded');
  return refund;
}

function checkRefundable(state: StripeState, charge: Stripe.Charge, amount: number | undefined): void {
  if (charge.status !== 'succeeded') {
    throw unexpectedState(`Charge ${charge.id} has not succeeded; cannot issue a refund.`, {
      param: 'charge',
    });
  }
  // An inquiry leaves the charge refundable (`Dispute.is_charge_refundable` of the SDK).
  const disputes = state.disputes.all().filter(dispute => dispute.charge === charge.id);
  if (disputes.some(dispute => !dispute.is_charge_refundable)) {
    // docs.stripe.com/error-codes#charge-disputed
    throw unexpectedState(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: 'charge_disputed',
      charge: charge.id,
    });
  }
  if (charge.refunded || refundable(state, charge) === 0) {
    throw unexpectedState(`Charge ${charge.id} has already been refunded.`, {
      code: 'charge_already_refunded',
      charge: charge.id,
    });
  }
  const days = state.refundWindow.get(WINDOW)?.days;
  if (days !== undefined && state.clock.seconds() > charge.created + days * DAY_SECONDS) {
    throw unexpectedState(
      `This payment is too old to be refunded. It has passed its ${days}-day refund window.`,
      { code: 'charge_not_refundable', charge: charge.id },
    );
  }
  const left = refundable(state, charge);
  if (amount !== undefined && amount > left) {
    const shown = (value: number) => money(value, charge.currency);
    throw unexpectedState(
      `Refund amount (${shown(amount)}) is greater than unrefunded amount on charge (${shown(left)})`,
      { param: 'amount' },
    );
  }
}

/** Books a successful refund: balance, charge, and the refund itself. */
function succeed(state: StripeState, refund: Stripe.Refund): Stripe.Refund {
  const charge = state.charges.get(String(refund.charge))!;
  const amount_refunded = charge.amount_refunded + refund.amount;
  state.charges.put(charge.id, {
    ...charge,
    amount_refunded,
    refunded: amount_refunded === charge.amount_captured,
  });
  const transaction = bookRefund(state, refund, -refund.amount);
  const { next_action: _, ...rest } = refund;
  return { ...rest, status: 'succeeded', balance_transaction: transaction };
}

/** Books money returned to the customer (negative `amount`) or by the bank. */
function bookRefund(state: StripeState, refund: Stripe.Refund, amount: number): string {
  const goes = amount < 0;
  const card = refund.destination_details?.type === 'card';
  return book(state, {
    amount,
    fee: () => 0,
    currency: refund.currency,
    source: refund.id,
    description: goes ? 'REFUND FOR CHARGE' : 'REFUND FAILURE',
    type: goes ? (card ? 'refund' : 'payment_refund') : card ? 'refund_failure' : 'payment_failure_refund',
    reporting_category: goes ? 'refund' : 'refund_failure',
  }).id;
}

const settleLater = (state: StripeState, refund: string, outcome: 'succeeded' | 'failed') =>
  later(state, BANK_MS, { kind: 'settleRefund', refund, outcome });

/** Whether a refund can still reach this outcome: one that succeeded can only be returned. */
export const canSettle = (refund: Stripe.Refund, outcome: 'succeeded' | 'failed') =>
  isUnderWay(refund) || (refund.status === 'succeeded' && outcome === 'failed');

/**
 * The bank's later answer: a pending refund succeeds or fails, or one that succeeded is returned.
 * Throws if the refund is past that.
 */
export function settleRefund(
  state: StripeState,
  cause: Cause,
  refund: Stripe.Refund,
  outcome: 'succeeded' | 'failed',
): Stripe.Refund {
  if (!canSettle(refund, outcome)) {
    throw unexpectedState(`This refund is ${refund.status} and cannot become ${outcome}.`);
  }
  const settled = state.refunds.put(
    refund.id,
    outcome === 'succeeded' ? succeed(state, refund) : fail(state, refund),
  );
  publishEvent(state, cause, refund, settled);
  if (outcome === 'failed') emit(state, cause, 'refund.failed', settled);
  else emit(state, cause, 'charge.refunded', state.charges.get(String(refund.charge))!);
  return settled;
}

/** Sets the bank details that a PromptPay refund waits for; the bank answers later. */
export function giveBankDetails(state: StripeState, cause: Cause, refund: Stripe.Refund): Stripe.Refund {
  if (refund.status !== 'requires_action') {
    throw unexpectedState(`This refund waits for no bank details: its status is ${refund.status}.`);
  }
  const { next_action: _, ...rest } = refund;
  const pending = state.refunds.put(refund.id, { ...rest, status: 'pending' });
  publishEvent(state, cause, refund, pending);
  settleLater(state, refund.id, 'succeeded');
  return pending;
}

function fail(state: StripeState, refund: Stripe.Refund): Stripe.Refund {
  const card = refund.destination_details?.type === 'card';
  const { next_action: _, ...rest } = refund;
  const failed = {
    ...rest,
    status: 'failed',
    failure_reason: card ? 'expired_or_canceled_card' : 'unknown',
  };
  if (refund.status !== 'succeeded') return failed;
  const charge = state.charges.get(String(refund.charge))!;
  state.charges.put(charge.id, {
    ...charge,
    amount_refunded: charge.amount_refunded - refund.amount,
    refunded: false,
  });
  return { ...failed, failure_balance_transaction: bookRefund(state, refund, refund.amount) };
}

/** Cancels a refund that waits for the customer's bank details. */
export function cancelRefund(state: StripeState, cause: Cause, refund: Stripe.Refund): Stripe.Refund {
  if (refund.status !== 'requires_action') {
    throw unexpectedState(
      `You cannot cancel a refund with status ${refund.status}. Only refunds with status requires_action may be canceled.`,
    );
  }
  const canceled = state.refunds.put(refund.id, { ...refund, status: 'canceled' });
  publishEvent(state, cause, refund, canceled);
  return canceled;
}

/** Changes a refund's metadata. */
export function updateRefund(
  state: StripeState,
  cause: Cause,
  refund: Stripe.Refund,
  metadata: Stripe.Metadata,
): Stripe.Refund {
  const updated = state.refunds.put(refund.id, { ...refund, metadata });
  publishEvent(state, cause, refund, updated);
  return updated;
}

function publishEvent(state: StripeState, cause: Cause, before: Stripe.Refund, after: Stripe.Refund): void {
  emit(state, cause, 'refund.updated', after, changes(before, after));
  emit(state, cause, 'charge.refund.updated', after, changes(before, after));
}
