import type Stripe from 'stripe';
import type { Decline } from '../cards.ts';

/** Result of a card payment at the customer's bank. */
export type CardResult = { decline?: Decline; authenticated: boolean };

/** The charge of one confirmation: succeeded, or failed with the bank's reason. */
export function newCharge(
  id: string,
  created: number,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  result: CardResult,
): Stripe.Charge {
  const { decline } = result;
  return {
    id,
    object: 'charge',
    amount: intent.amount,
    amount_captured: decline ? 0 : intent.amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: method.billing_details,
    calculated_statement_descriptor: 'FIXPOINT',
    captured: !decline,
    created,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: outcome(decline),
    paid: !decline,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: details(intent, method, result),
    radar_options: {},
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: decline ? null : `https://pay.stripe.com/receipts/payment/${id}`,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: decline ? 'failed' : 'succeeded',
    transfer_data: null,
    transfer_group: null,
  } satisfies Stripe.Charge;
}

function outcome(decline: Decline | undefined): Stripe.Charge.Outcome {
  if (!decline) {
    return {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: 'approved_by_network',
      reason: null,
      risk_level: 'normal',
      risk_score: 12,
      seller_message: 'Payment complete.',
      type: 'authorized',
    };
  }
  return {
    advice_code: (decline.advice_code as Stripe.Charge.Outcome.AdviceCode | undefined) ?? null,
    network_advice_code: decline.network_advice_code ?? null,
    network_decline_code: decline.network_decline_code ?? null,
    network_status: 'declined_by_network',
    reason: decline.decline_code ?? null,
    risk_level: 'normal',
    risk_score: 12,
    seller_message: 'The bank did not return any further details with this decline.',
    type: 'issuer_declined',
  };
}

function details(
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  { decline, authenticated }: CardResult,
): Stripe.Charge.PaymentMethodDetails {
  if (method.type !== 'card')
    return { promptpay: { reference: intent.id.slice(-12).toUpperCase() }, type: 'promptpay' };
  const card = method.card!;
  return {
    card: {
      amount_authorized: decline ? null : intent.amount,
      authorization_code: decline ? null : '123456',
      brand: card.brand,
      checks: {
        ...card.checks!,
        cvc_check: decline?.code === 'incorrect_cvc' ? 'fail' : card.checks?.cvc_check ? 'pass' : null,
      },
      country: card.country,
      electronic_commerce_indicator: null,
      exp_month: card.exp_month,
      exp_year: card.exp_year,
      extended_authorization: { status: 'disabled' },
      fingerprint: card.fingerprint,
      funding: card.funding,
      incremental_authorization: { status: 'unavailable' },
      installments: null,
      last4: card.last4,
      mandate: null,
      multicapture: { status: 'unavailable' },
      network: card.brand,
      network_token: { used: false },
      network_transaction_id: decline ? null : intent.id.replace(/\D/g, '').padEnd(15, '0').slice(0, 15),
      overcapture: { maximum_amount_capturable: intent.amount, status: 'unavailable' },
      regulated_status: 'unregulated',
      three_d_secure: authenticated
        ? {
            authentication_flow: 'challenge',
            electronic_commerce_indicator: '05',
            exemption_indicator: null,
            result: 'authenticated',
            result_reason: null,
            transaction_id: `00000000-0000-4000-8000-${intent.created.toString(16).padStart(12, '0')}`,
            version: '2.2.0',
          }
        : null,
      transaction_link_id: null,
      wallet: null,
    },
    type: 'card',
  };
}
