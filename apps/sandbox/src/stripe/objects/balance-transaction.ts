import type Stripe from 'stripe';

/** Money in (`amount` above 0) or out, as it is booked, and what Stripe keeps of it (`fee`), in minor units. */
export type Movement = {
  amount: number;
  fee: number;
  currency: string;
  source: string;
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
