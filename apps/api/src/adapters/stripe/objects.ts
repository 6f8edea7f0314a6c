import { fromProviderUnit, toProviderUnit } from '@fixpoint/domain/kernel/money.ts';
import type { ReportedState } from '@fixpoint/domain/payment/attempt.ts';
import type Stripe from 'stripe';
import type {
  AttemptRef,
  Card,
  Reported,
  ReportedDispute,
  ReportedRefund,
} from '../../ports/payment-gateway.ts';
import { movedOf } from './settled.ts';

/** Expansions that {@link paymentOf} needs. */
export const INTENT_EXPANDED = { expand: ['payment_method', 'latest_charge.balance_transaction'] };

function stateOf(intent: Stripe.PaymentIntent): ReportedState {
  switch (intent.status) {
    case 'succeeded':
      return 'succeeded';
    case 'canceled':
      return 'closed';
    case 'processing':
    case 'requires_capture':
      return 'processing';
    case 'requires_confirmation':
      // The bank has its answer, and only our confirmation takes the money.
      return 'approved';
    case 'requires_payment_method':
      // Also the state before the first try: only a recorded error makes it a decline.
      return intent.last_payment_error ? 'failed' : 'open';
    default:
      return 'open';
  }
}

/** Maps a payment intent. */
export function paymentOf(intent: Stripe.PaymentIntent): Reported {
  const currency = intent.currency.toUpperCase();
  const state = stateOf(intent);
  const error = intent.last_payment_error;
  const fee = feeOf(intent, currency);
  const method = cardOf(intent.payment_method);
  const decline = error?.decline_code ?? error?.code;
  return {
    ref: intent.id,
    state,
    currency,
    amount: fromProviderUnit(currency, intent.amount),
    received: fromProviderUnit(currency, intent.amount_received),
    ...(fee !== undefined && { fee }),
    ...(decline && { decline }),
    ...(method && { method }),
    ...(state === 'open' && nextActionOf(intent, currency)),
  };
}

/** Fields of every payment intent, whatever the method. */
export const intentOf = (attempt: AttemptRef) => ({
  amount: toProviderUnit(attempt.currency, attempt.amount),
  currency: attempt.currency.toLowerCase(),
  customer: attempt.gatewayCustomerRef,
  description: attempt.invoiceReference,
  metadata: { invoice_id: attempt.invoiceId, attempt_id: attempt.id },
  ...INTENT_EXPANDED,
});

/** Validity of a QR code. Stripe would accept a payment for ever. */
const SCAN_SECONDS = 15 * 60;

function nextActionOf(intent: Stripe.PaymentIntent, currency: string): Pick<Reported, 'nextAction'> {
  const { client_secret: clientSecret, payment_method_types: types } = intent;
  const code = intent.next_action?.promptpay_display_qr_code?.data;
  if (code) {
    const nextAction = {
      kind: 'scan' as const,
      text: code,
      amount: (fromProviderUnit(currency, intent.amount) / 100).toFixed(2),
      unit: 'THB' as const,
      expiresAt: new Date((intent.created + SCAN_SECONDS) * 1000).toISOString(),
    };
    return { nextAction };
  }
  if (!clientSecret || types.includes('promptpay')) return {};
  if (intent.status === 'requires_action') return { nextAction: { kind: 'authenticate', clientSecret } };
  return { nextAction: { kind: 'card', ref: intent.id } };
}

/** Fee, known once the charge is booked. */
function feeOf(intent: Stripe.PaymentIntent, currency: string): number | undefined {
  const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null;
  const booked = typeof charge?.balance_transaction === 'object' ? charge.balance_transaction : null;
  return booked ? movedOf({ currency, amount: intent.amount_received }, [booked]).fee : undefined;
}

/** Maps a payment method; undefined if it is not a card or was not expanded. */
export function cardOf(method: string | Stripe.PaymentMethod | null): Card | undefined {
  if (typeof method !== 'object' || !method?.card) return undefined;
  const holder = method.billing_details.name;
  const { brand, last4, exp_month, exp_year, fingerprint, funding, issuer } = method.card;
  return {
    ref: method.id,
    // Absent in some regions: then every card counts as another one.
    fingerprint: fingerprint ?? method.id,
    brand,
    last4,
    expiryMonth: exp_month,
    expiryYear: exp_year,
    ...(holder && { holder }),
    funding,
    ...(issuer && { issuer }),
  };
}

/**
 * Maps a refund. `canceled` returns the money to us like `failed`; one that asks the payer for
 * their bank is pending.
 */
export const refundOf = (refund: Stripe.Refund): ReportedRefund => ({
  ref: refund.id,
  state:
    refund.status === 'succeeded'
      ? 'succeeded'
      : refund.status === 'failed' || refund.status === 'canceled'
        ? 'failed'
        : 'pending',
  ...(refund.failure_reason && { failure: refund.failure_reason }),
  ...(refund.status === 'requires_action' && { asks: { kind: 'bank' } }),
});

/** Maps a dispute with its movements. */
export function disputeOf(dispute: Stripe.Dispute): ReportedDispute {
  const currency = dispute.currency.toUpperCase();
  const moved = movedOf(dispute, dispute.balance_transactions);
  const { payment_intent: intent, charge } = dispute;
  const nameOf = (object: string | { id: string }) => (typeof object === 'string' ? object : object.id);
  const { due_by } = dispute.evidence_details;
  return {
    ref: dispute.id,
    paymentRef: nameOf(intent ?? charge),
    state: stateOfDispute(dispute),
    currency,
    amount: fromProviderUnit(currency, dispute.amount),
    withdrawn: Math.max(0, -moved.amount),
    fee: Math.max(0, moved.fee),
    reason: dispute.reason,
    respondBy: due_by === null ? null : new Date(due_by * 1000),
    blocksRefunds: !dispute.is_charge_refundable,
  };
}

function stateOfDispute({ status }: Stripe.Dispute): ReportedDispute['state'] {
  if (status === 'won') return 'won';
  if (status === 'lost') return 'lost';
  // Settled or called off before it became a dispute.
  if (status === 'warning_closed' || status === 'prevented') return 'won';
  return status.startsWith('warning_') ? 'inquiry' : 'open';
}
