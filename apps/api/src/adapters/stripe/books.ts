import { fromProviderUnit } from '@fixpoint/domain/kernel/money.ts';
import type Stripe from 'stripe';
import type { ProviderBooks } from '../../ports/provider-books.ts';
import { reach, type StripeClient } from './client.ts';
import { refundOf } from './objects.ts';

/** Movements that payments, refunds and disputes make. Payouts and the provider's own bills are none of theirs. */
const OURS = new Set(['charge', 'refund', 'refund_failure', 'dispute', 'dispute_reversal']);

/** What Stripe says of our money: its payments and refunds, and what each has moved on the balance. */
export const createStripeBooks = ({ stripe }: StripeClient): ProviderBooks => ({
  provider: 'stripe',

  async read(since) {
    const page = { limit: 100, created: { gte: Math.floor(since.getTime() / 1000) } };
    // The balance last: what moved it meanwhile has its payment or refund in the lists, or is under way.
    const intents = await all(stripe.paymentIntents.list(page));
    const refunds = await all(stripe.refunds.list(page));
    const moved = (await all(stripe.balanceTransactions.list(page))).filter(({ reporting_category }) =>
      OURS.has(reporting_category),
    );
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
      balances: sumsOf(moved),
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

/** What a charge or a refund moved, as far as it is in its own currency. */
function netBySource(moved: readonly Stripe.BalanceTransaction[]) {
  const sums = new Map<string, number>();
  const key = (source: string | undefined, currency: string) => `${source} ${currency}`;
  for (const { source, currency, net } of moved) {
    const of = key(idOf(source), currency.toUpperCase());
    sums.set(of, (sums.get(of) ?? 0) + fromProviderUnit(currency, net));
  }
  return (source: string | undefined, currency: string) => sums.get(key(source, currency));
}

function sumsOf(moved: readonly Stripe.BalanceTransaction[]): Record<string, number> {
  const sums: Record<string, number> = {};
  // Converted money is in no payment's own currency: its payments say that nothing of theirs is booked.
  for (const { currency, net, exchange_rate } of moved) {
    if (exchange_rate !== null) continue;
    const of = currency.toUpperCase();
    sums[of] = (sums[of] ?? 0) + fromProviderUnit(of, net);
  }
  return sums;
}
