import type Stripe from 'stripe';
import type { StripeState } from '../stripe/state.ts';

/**
 * Movements of one currency's balance; outgoing ones are negative. `net` is the sum of the others.
 * `fees` include Stripe's bills and their tax; `adjustments` are corrections and reserves.
 */
type Balance = Record<
  'charges' | 'refunds' | 'disputes' | 'payouts' | 'adjustments' | 'fees' | 'net',
  number
>;

/**
 * All money records of the provider, oldest first, for comparison with the shop's books (X31).
 * Amounts in minor units, currencies in lower case. Fees and amounts held by disputes are in the
 * settlement currency, where one is set.
 */
export type Ledger = {
  /** Every payment, whatever its outcome. */
  payments: {
    payment_intent: string;
    customer: string | null;
    status: string;
    amount: number;
    received: number;
    currency: string;
    metadata: Record<string, string>;
  }[];
  /** Every successful charge; `fee` is null until it is booked, a moment later. */
  charges: {
    charge: string;
    payment_intent: string;
    amount: number;
    refunded: number;
    fee: number | null;
    currency: string;
    metadata: Record<string, string>;
    disputed: boolean;
  }[];
  refunds: {
    refund: string;
    charge: string;
    payment_intent: string | null;
    amount: number;
    currency: string;
    status: string;
    metadata: Record<string, string>;
  }[];
  /** `withdrawn`: what the bank currently holds. */
  disputes: {
    dispute: string;
    charge: string;
    payment_intent: string | null;
    amount: number;
    withdrawn: number;
    fee: number;
    currency: string;
    reason: string;
    status: string;
  }[];
  /** Successful charges minus successful refunds, by currency. */
  totals: Record<string, number>;
  /** Booked amounts by currency: the same money as `GET /v1/balance`. */
  balances: Record<string, Balance>;
};

/** Returns the current ledger. */
export function ledger(state: StripeState): Ledger {
  const charges = state.charges
    .all()
    .filter(charge => charge.status === 'succeeded')
    .map(charge => ({
      charge: charge.id,
      payment_intent: String(charge.payment_intent),
      amount: charge.amount,
      refunded: charge.amount_refunded,
      fee: state.balance.get(String(charge.balance_transaction))?.fee ?? null,
      currency: charge.currency,
      metadata: charge.metadata,
      disputed: charge.disputed,
    }));
  const refunds = state.refunds.all().map(refund => ({
    refund: refund.id,
    charge: String(refund.charge),
    payment_intent: refund.payment_intent as string | null,
    amount: refund.amount,
    currency: refund.currency,
    status: refund.status ?? '',
    metadata: refund.metadata ?? {},
  }));
  const totals: Record<string, number> = {};
  for (const { currency, amount } of charges) totals[currency] = (totals[currency] ?? 0) + amount;
  for (const { currency, amount, status } of refunds) {
    if (status === 'succeeded') totals[currency] = (totals[currency] ?? 0) - amount;
  }
  return {
    payments: state.intents.all().map(paymentRow),
    charges,
    refunds,
    disputes: state.disputes.all().map(disputeRow),
    totals,
    balances: balances(state),
  };
}

const paymentRow = (intent: Stripe.PaymentIntent): Ledger['payments'][number] => ({
  payment_intent: intent.id,
  customer: intent.customer as string | null,
  status: intent.status,
  amount: intent.amount,
  received: intent.amount_received,
  currency: intent.currency,
  metadata: intent.metadata,
});

function disputeRow(dispute: Stripe.Dispute): Ledger['disputes'][number] {
  const movements = dispute.balance_transactions;
  return {
    dispute: dispute.id,
    charge: String(dispute.charge),
    payment_intent: dispute.payment_intent as string | null,
    amount: dispute.amount,
    withdrawn: movements.reduce((sum, movement) => sum - movement.amount, 0),
    fee: movements.reduce((sum, movement) => sum + movement.fee, 0),
    currency: dispute.currency,
    reason: dispute.reason,
    status: dispute.status,
  };
}

const KINDS: Record<string, Exclude<keyof Balance, 'net'>> = {
  charge: 'charges',
  refund: 'refunds',
  refund_failure: 'refunds',
  dispute: 'disputes',
  dispute_reversal: 'disputes',
  payout: 'payouts',
  payout_reversal: 'payouts',
  other_adjustment: 'adjustments',
  risk_reserved_funds: 'adjustments',
  fee: 'fees',
  tax: 'fees',
};

function balances(state: StripeState): Record<string, Balance> {
  const sums: Record<string, Balance> = {};
  for (const { currency, reporting_category, amount, fee, net } of state.balance.all()) {
    sums[currency] ??= { charges: 0, refunds: 0, disputes: 0, payouts: 0, adjustments: 0, fees: 0, net: 0 };
    const sum = sums[currency];
    sum[KINDS[reporting_category]!] += amount;
    sum.fees -= fee;
    sum.net += net;
  }
  return sums;
}
