import type Stripe from 'stripe';

/** A payout on its way to the account's bank. `amount` in minor units; times in seconds. */
export function newPayout(
  id: string,
  created: number,
  arrival: number,
  {
    currency,
    amount,
    movement,
    destination,
  }: { currency: string; amount: number; movement: string; destination: string },
): Stripe.Payout {
  return {
    id,
    object: 'payout',
    amount,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: arrival,
    automatic: false,
    balance_transaction: movement,
    created,
    currency,
    description: 'STRIPE PAYOUT',
    destination,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: {},
    method: 'standard',
    original_payout: null,
    payout_method: null,
    reconciliation_status: 'not_applicable',
    reversed_by: null,
    source_type: 'card',
    statement_descriptor: null,
    status: 'in_transit',
    trace_id: { status: 'pending', value: null },
    type: 'bank_account',
  } satisfies Stripe.Payout;
}
