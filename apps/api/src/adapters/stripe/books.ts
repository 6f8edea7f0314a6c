import { fromProviderUnit } from '@fixpoint/domain/kernel/money.ts';
import Stripe from 'stripe';
import { type ProviderBooks, sumsOf } from '../../ports/provider-books.ts';
import { reach, type StripeClient, unlessUnknown } from './client.ts';
import { refundOf } from './objects.ts';
import { movedOf, type Of } from './settled.ts';

/**
 * Categories of movements by payments, refunds and disputes, as opposed to payouts and Stripe's own
 * bills.
 */
const DISPUTE = new Set(['dispute', 'dispute_reversal']);
const OURS = new Set(['charge', 'refund', 'refund_failure', ...DISPUTE]);

/**
 * Whether somebody could pay it: by the secret in the page (card), or by a code that was shown
 * (PromptPay).
 */
const isPayable = ({ status, payment_method_types: types }: Stripe.PaymentIntent): boolean =>
  status === 'requires_action' ||
  (['requires_payment_method', 'requires_confirmation'].includes(status) && !types.includes('promptpay'));

// Keeps only what is compared, because there may be hundreds of thousands of rows.
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

/** Stripe's records: payments, refunds, disputes, and their effects on the balance. */
export const createStripeBooks = ({ stripe }: StripeClient): ProviderBooks => ({
  provider: 'stripe',
  methods: ['card', 'promptpay'],

  async read(since) {
    const page = { limit: 100, created: { gte: Math.floor(since.getTime() / 1000) } };
    // The balance is read last, so that every movement has its payment or refund in the lists, or
    // is in progress.
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

  async reportedBalance() {
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

/** Effect of each charge, refund and dispute on the balance, in its own currency. */
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
    // Older objects are unknown: the sale currency of a converted movement cannot be determined.
    const own = all.filter(({ converted }) => !converted);
    return own.map(({ currency, net }) => ({ ref, disputed, ...inOurs(currency, net) }));
  });
}
