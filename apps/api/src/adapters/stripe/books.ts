import { fromProviderUnit } from '@fixpoint/domain/kernel/money.ts';
import type Stripe from 'stripe';
import { type ProviderBooks, sumsOf } from '../../ports/provider-books.ts';
import { reach, type StripeClient } from './client.ts';
import { refundOf } from './objects.ts';
import { movedOf, type Of } from './settled.ts';

/** Movements that payments, refunds and disputes make. Payouts and the provider's own bills are none of theirs. */
const DISPUTE = new Set(['dispute', 'dispute_reversal']);
const OURS = new Set(['charge', 'refund', 'refund_failure', ...DISPUTE]);

/** Whether somebody could pay it: by its secret, which the page has of a card's payment, or by a code that was shown. */
const isPayable = ({ status, payment_method_types: types }: Stripe.PaymentIntent): boolean =>
  status === 'requires_action' ||
  (['requires_payment_method', 'requires_confirmation'].includes(status) && !types.includes('promptpay'));

/** What Stripe says of our money: its payments and refunds, and what each has moved on the balance. */
export const createStripeBooks = ({ stripe }: StripeClient): ProviderBooks => ({
  provider: 'stripe',
  methods: ['card', 'promptpay'],

  async read(since) {
    const page = { limit: 100, created: { gte: Math.floor(since.getTime() / 1000) } };
    // The balance last: what moved it meanwhile has its payment or refund in the lists, or is under way.
    const intents = await all(stripe.paymentIntents.list(page));
    const refunds = await all(stripe.refunds.list(page));
    const disputes = await all(stripe.disputes.list(page));
    const transactions = await all(stripe.balanceTransactions.list(page));
    const paid = intents.filter(({ status }) => status === 'succeeded');
    const moved = movementsOf(
      transactions.filter(({ reporting_category }) => OURS.has(reporting_category)),
      new Map<string | undefined, Of>([
        ...paid.map(
          ({ latest_charge, currency, amount_received: amount }) =>
            [idOf(latest_charge), { currency, amount }] as const,
        ),
        ...[...refunds, ...disputes].map(each => [each.id, each] as const),
      ]),
    );
    const nets = new Map(moved.map(({ ref, net }) => [ref, net]));
    return {
      payments: paid.map(intent => {
        const currency = intent.currency.toUpperCase();
        return {
          ref: intent.id,
          attemptId: intent.metadata.attempt_id,
          currency,
          received: fromProviderUnit(currency, intent.amount_received),
          net: nets.get(idOf(intent.latest_charge) ?? ''),
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
          net: nets.get(refund.id),
        };
      }),
      payable: intents.filter(isPayable).map(({ id, metadata, currency, amount }) => ({
        ref: id,
        attemptId: metadata.attempt_id,
        currency: currency.toUpperCase(),
        amount: fromProviderUnit(currency, amount),
      })),
      disputed: disputes.map(({ id }) => id),
      disputes: moved.filter(({ disputed }) => disputed),
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

/** What each charge, refund and dispute has moved, in its own currency (P39). */
function movementsOf(
  transactions: readonly Stripe.BalanceTransaction[],
  known: ReadonlyMap<string | undefined, Of>,
) {
  const bySource = Map.groupBy(transactions, ({ id, source }) => idOf(source) ?? id);
  return [...bySource].flatMap(([ref, all]) => {
    const of = known.get(ref);
    const disputed = all.some(({ reporting_category }) => DISPUTE.has(reporting_category));
    if (of) {
      const { amount, fee } = movedOf(of, all);
      return [{ ref, disputed, currency: of.currency.toUpperCase(), net: amount - fee }];
    }
    // Of what is older: what was converted is in no currency of a sale, as far as can be known.
    const own = all.filter(({ exchange_rate }) => exchange_rate === null);
    return own.map(each => {
      const currency = each.currency.toUpperCase();
      return { ref, disputed, currency, net: fromProviderUnit(currency, each.net) };
    });
  });
}
