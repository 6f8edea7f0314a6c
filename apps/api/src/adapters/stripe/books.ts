import { fromProviderUnit } from '@fixpoint/domain/kernel/money.ts';
import Stripe from 'stripe';
import { type ProviderBooks, sumsOf } from '../../ports/provider-books.ts';
import { reach, type StripeClient, unlessUnknown } from './client.ts';
import { refundOf } from './objects.ts';
import { movedOf, type Of } from './settled.ts';

/** Movements that payments, refunds and disputes make. Payouts and the provider's own bills are none of theirs. */
const DISPUTE = new Set(['dispute', 'dispute_reversal']);
const OURS = new Set(['charge', 'refund', 'refund_failure', ...DISPUTE]);

/** Whether somebody could pay it: by its secret, which the page has of a card's payment, or by a code that was shown. */
const isPayable = ({ status, payment_method_types: types }: Stripe.PaymentIntent): boolean =>
  status === 'requires_action' ||
  (['requires_payment_method', 'requires_confirmation'].includes(status) && !types.includes('promptpay'));

// Of hundreds of thousands of rows only what is compared is kept.
const paymentRow = (intent: Stripe.PaymentIntent) => ({
  ref: intent.id,
  attemptId: intent.metadata.attempt_id,
  currency: intent.currency.toUpperCase(),
  amount: intent.amount,
  received: intent.amount_received,
  charge: idOf(intent.latest_charge),
  paid: intent.status === 'succeeded',
  payable: isPayable(intent),
});
const movementRow = (transaction: Stripe.BalanceTransaction) => ({
  id: transaction.id,
  source: idOf(transaction.source),
  category: transaction.reporting_category,
  currency: transaction.currency,
  amount: transaction.amount,
  fee: transaction.fee,
  net: transaction.net,
  converted: transaction.exchange_rate !== null,
});

/** What Stripe says of our money: its payments and refunds, and what each has moved on the balance. */
export const createStripeBooks = ({ stripe }: StripeClient): ProviderBooks => ({
  provider: 'stripe',
  methods: ['card', 'promptpay'],

  async read(since) {
    const page = { limit: 100, created: { gte: Math.floor(since.getTime() / 1000) } };
    // The balance last: what moved it meanwhile has its payment or refund in the lists, or is under way.
    const intents = await reach(Array.fromAsync(stripe.paymentIntents.list(page), paymentRow));
    const refunds = await reach(Array.fromAsync(stripe.refunds.list(page)));
    const disputes = await reach(Array.fromAsync(stripe.disputes.list(page)));
    const movements = await reach(Array.fromAsync(stripe.balanceTransactions.list(page), movementRow));
    const paid = intents.filter(intent => intent.paid);
    const moved = movementsOf(
      movements.filter(({ category }) => OURS.has(category)),
      new Map<string | undefined, Of>([
        ...paid.map(({ charge, currency, received: amount }) => [charge, { currency, amount }] as const),
        ...[...refunds, ...disputes].map(each => [each.id, each] as const),
      ]),
    );
    const others = movements.filter(({ category }) => !OURS.has(category));
    const nets = new Map(moved.map(({ ref, net }) => [ref, net]));
    return {
      payments: paid.map(({ ref, attemptId, currency, received, charge }) => ({
        ref,
        attemptId,
        currency,
        received: fromProviderUnit(currency, received),
        net: nets.get(charge ?? ''),
      })),
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
      payable: intents
        .filter(({ payable }) => payable)
        .map(({ ref, attemptId, currency, amount }) => ({
          ref,
          attemptId,
          currency,
          amount: fromProviderUnit(currency, amount),
        })),
      disputed: disputes.map(({ id }) => id),
      disputes: moved.filter(({ disputed }) => disputed),
      balances: sumsOf(moved),
      outside: sumsOf(others.map(({ currency, net }) => inOurs(currency, net))),
    };
  },

  async refund(ref) {
    const refund = await unlessUnknown(reach(stripe.refunds.retrieve(ref)));
    if (!refund) return undefined;
    const currency = refund.currency.toUpperCase();
    const amount = fromProviderUnit(currency, refund.amount);
    const paymentRef = idOf(refund.payment_intent ?? refund.charge) ?? '';
    return { paymentRef, currency, amount, state: refundOf(refund).state };
  },

  async held() {
    const balance = await reach(stripe.balance.retrieve()).catch((error: unknown) => {
      if (error instanceof Stripe.errors.StripePermissionError) return undefined;
      throw error;
    });
    const parts = balance && [...balance.available, ...balance.pending];
    return parts && sumsOf(parts.map(({ currency, amount }) => inOurs(currency, amount)));
  },
});

const inOurs = (unit: string, minor: number) => {
  const currency = unit.toUpperCase();
  return { currency, net: fromProviderUnit(currency, minor) };
};

const idOf = (source: string | { id: string } | null): string | undefined =>
  typeof source === 'object' ? source?.id : source;

/** What each charge, refund and dispute has moved, in its own currency. */
function movementsOf(
  movements: readonly ReturnType<typeof movementRow>[],
  known: ReadonlyMap<string | undefined, Of>,
) {
  const bySource = Map.groupBy(movements, ({ id, source }) => source ?? id);
  return [...bySource].flatMap(([ref, all]) => {
    const of = known.get(ref);
    const disputed = all.some(({ category }) => DISPUTE.has(category));
    if (of) {
      const { amount, fee } = movedOf(of, all);
      return [{ ref, disputed, currency: of.currency.toUpperCase(), net: amount - fee }];
    }
    // Of what is older: what was converted is in no currency of a sale, as far as can be known.
    const own = all.filter(({ converted }) => !converted);
    return own.map(({ currency, net }) => ({ ref, disputed, ...inOurs(currency, net) }));
  });
}
