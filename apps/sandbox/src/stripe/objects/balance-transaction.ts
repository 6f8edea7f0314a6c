import type Stripe from 'stripe';

/** A movement of the account's balance; `amount` is positive for money in, `fee` what Stripe keeps of it. */
export function newBalanceTransaction(
  id: string,
  created: number,
  movement: {
    amount: number;
    fee: number;
    currency: string;
    source: string;
    description: string | null;
  } & Pick<Stripe.BalanceTransaction, 'type' | 'reporting_category'>,
): Stripe.BalanceTransaction {
  const { amount, fee, currency, source, description, type, reporting_category } = movement;
  return {
    id,
    object: 'balance_transaction',
    amount,
    available_on: created + 2 * 86_400,
    balance_type: 'payments',
    created,
    currency,
    description,
    exchange_rate: null,
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
    status: 'pending',
    type,
  } satisfies Stripe.BalanceTransaction;
}
