import type Stripe from 'stripe';

/** A booked movement in minor units: `amount` (negative when outgoing) and Stripe's `fee`. */
export type Movement = {
  amount: number;
  fee: number;
  currency: string;
  /** Null: of no object, such as Stripe's bills. */
  source: string | null;
  description: string | null;
  exchange_rate: number | null;
} & Pick<Stripe.BalanceTransaction, 'type' | 'reporting_category'>;

/** A movement of the account's balance; times in seconds. */
export function newBalanceTransaction(
  id: string,
  created: number,
  availableOn: number,
  movement: Movement,
): Stripe.BalanceTransaction {
  const { amount, fee, currency, source, description, exchange_rate, type, reporting_category } = movement;
  return {
    id,
    object: 'balance_transaction',
    amount,
    available_on: availableOn,
    balance_type: 'payments',
    created,
    currency,
    description,
    exchange_rate,
    fee,
    fee_details: fee
      ? [
          {
            amount: fee,
            application: null,
            currency,
            description: 'Stripe processing fees',
            type: 'stripe_fee',
          },
        ]
      : [],
    net: amount - fee,
    reporting_category,
    source,
    status: availableOn > created ? 'pending' : 'available',
    type,
  } satisfies Stripe.BalanceTransaction;
}
