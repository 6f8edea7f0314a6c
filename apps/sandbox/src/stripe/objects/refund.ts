import type Stripe from 'stripe';

/** A refund of `amount` minor units, not settled yet. */
export function newRefund(
  id: string,
  created: number,
  amount: number,
  charge: Stripe.Charge,
  reason: Stripe.Refund.Reason | null,
  metadata: Stripe.Metadata,
): Stripe.Refund {
  return {
    id,
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created,
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    destination_details: destination(charge),
    metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'pending',
    transfer_reversal: null,
  } satisfies Stripe.Refund;
}

function destination(charge: Stripe.Charge): Stripe.Refund.DestinationDetails {
  if (charge.payment_method_details?.type !== 'card') {
    return { th_bank_transfer: { reference: null, reference_status: 'pending' }, type: 'th_bank_transfer' };
  }
  return {
    card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
    type: 'card',
  };
}
