import { fromProviderUnit } from '@fixpoint/domain/kernel/money.ts';
import type Stripe from 'stripe';
import { type ProviderBooks, sumsOf } from '../../ports/provider-books.ts';
import { reach, type StripeClient } from './client.ts';
import { refundOf } from './objects.ts';

/** Movements that payments, refunds and disputes make. Payouts and the provider's own bills are none of theirs. */
const DISPUTE = new Set(['dispute', 'dispute_reversal']);
const OURS = new Set(['charge', 'refund', 'refund_failure', ...DISPUTE]);

/** What Stripe says of our money: its payments and refunds, and what each has moved on the balance. */
export const createStripeBooks = ({ stripe }: StripeClient): ProviderBooks => ({
  provider: 'stripe',
  methods: ['card', 'promptpay'],

  async read(since) {
    const page = { limit: 100, created: { gte: Math.floor(since.getTime() / 1000) } };
    // The balance last: what moved it meanwhile has its payment or refund in the lists, or is under way.
    const intents = await all(stripe.paymentIntents.list(page));
    const refunds = await all(stripe.refunds.list(page));
    const moved = (await all(stripe.balanceTransactions.list(page)))
      .filter(({ reporting_category }) => OURS.has(reporting_category))
      .map(movementOf);
    const netOf = netBySource(moved);
    return {
      payments: intents
        .filter(({ status }) => status === 'succeeded')
        .map(intent => {
          const currency = intent.currency.toUpperCase();
          return {
            ref: intent.id,
            attemptId: intent.metadata.attempt_id,
            currency,
            received: fromProviderUnit(currency, intent.amount_received),
            net: netOf(idOf(intent.latest_charge), currency),
          };
        }),
      refunds: refunds.map(refund => {
        const currency = refund.currency.toUpperCase();
        return {
          ref: refund.id,
          refundId: refund.metadata?.refund_id,
          currency,
          amount: fromProviderUnit(currency, refund.amount),
          state: refundOf(refund).state,
          net: netOf(refund.id, currency),
        };
      }),
      disputes: moved.filter(({ category }) => DISPUTE.has(category)),
      // Converted money is in no payment's own currency: its payments say that nothing of theirs is booked.
      balances: sumsOf(moved.filter(({ converted }) => !converted)),
    };
  },
});

/** All pages of a list. */
const all = <T>(list: AsyncIterable<T>): Promise<T[]> =>
  reach(
    (async () => {
      const rows: T[] = [];
      for await (const row of list) rows.push(row);
      return rows;
    })(),
  );

const idOf = (source: string | { id: string } | null): string | undefined =>
  typeof source === 'object' ? source?.id : source;

type Movement = ReturnType<typeof movementOf>;
const movementOf = (moved: Stripe.BalanceTransaction) => {
  const currency = moved.currency.toUpperCase();
  return {
    /** The charge, refund or dispute that moved it. */
    ref: idOf(moved.source) ?? moved.id,
    category: moved.reporting_category,
    currency,
    net: fromProviderUnit(currency, moved.net),
    converted: moved.exchange_rate !== null,
  };
};

/** What a charge or a refund moved, as far as it is in its own currency. */
function netBySource(moved: readonly Movement[]) {
  const sums = new Map<string, number>();
  for (const { ref, currency, net } of moved) {
    const key = `${ref} ${currency}`;
    sums.set(key, (sums.get(key) ?? 0) + net);
  }
  return (source: string | undefined, currency: string) => sums.get(`${source} ${currency}`);
}
