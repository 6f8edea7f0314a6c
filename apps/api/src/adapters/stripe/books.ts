import { fromProviderUnit } from '@fixpoint/domain/kernel/money.ts';
import Stripe from 'stripe';
import {
  type GatewayBooks,
  type GatewayStatement,
  type HeldBalance,
  sumsOf,
} from '../../ports/gateway-books.ts';
import { reach, type StripeClient, unlessUnknown } from './client.ts';
import {
  idOf,
  inHundredths,
  type MovementRow,
  movementRow,
  movementsOf,
  paymentEffects,
} from './movements.ts';
import { refundOf } from './objects.ts';

/**
 * Whether somebody could pay it: by the secret in the page (card), or by a code that was shown
 * (PromptPay).
 */
const isPayable = ({ status, payment_method_types: types }: Stripe.PaymentIntent): boolean =>
  status === 'requires_action' ||
  (['requires_payment_method', 'requires_confirmation'].includes(status) && !types.includes('promptpay'));

const pageSince = (since: Date) => ({ limit: 100, created: { gte: Math.floor(since.getTime() / 1000) } });

// Keeps only what is compared, because there may be hundreds of thousands of rows.
const paymentRow = (intent: Stripe.PaymentIntent) => {
  const currency = intent.currency.toUpperCase();
  const charge = intent.latest_charge;
  return {
    ref: intent.id,
    attemptId: intent.metadata.attempt_id,
    currency,
    amount: fromProviderUnit(currency, intent.amount),
    received: fromProviderUnit(currency, intent.amount_received),
    charge: { id: idOf(charge) ?? intent.id, amount: intent.amount_received },
    at: charge && typeof charge === 'object' ? new Date(charge.created * 1000) : undefined,
    paid: intent.status === 'succeeded',
    payable: isPayable(intent),
  };
};
type PaymentRow = ReturnType<typeof paymentRow>;

const named = ({ ref, attemptId, currency }: PaymentRow) => ({ ref, attemptId, currency });
const received = (row: PaymentRow) => ({ ...named(row), received: row.received, at: row.at });

const refundRow = (refund: Stripe.Refund) => {
  const { currency, net: amount } = inHundredths(refund.currency, refund.amount);
  const refundId = refund.metadata?.refund_id;
  return { ref: refund.id, refundId, currency, amount, state: refundOf(refund).state };
};

/** A key without this right reads nothing of it. */
const unlessForbidden = <T>(asked: Promise<T>): Promise<T | undefined> =>
  asked.catch((error: unknown) => {
    if (error instanceof Stripe.errors.StripePermissionError) return undefined;
    throw error;
  });

/** Stripe's records: payments, refunds, disputes, payouts, and all movements of the balance. */
export const createStripeBooks = ({ stripe }: StripeClient): GatewayBooks => {
  const intentsSince = (since: Date) =>
    reach(
      Array.fromAsync(
        // The charge says when it succeeded.
        stripe.paymentIntents.list({ ...pageSince(since), expand: ['data.latest_charge'] }),
        paymentRow,
      ),
    );
  const movementsIn = (created: Stripe.RangeQueryParam) =>
    reach(Array.fromAsync(stripe.balanceTransactions.list({ limit: 100, created }), movementRow));

  /** Movements since then, and the balance that they led to. */
  async function movementsSince(since: Date): Promise<{ rows: MovementRow[]; held: HeldBalance }> {
    const from = Math.floor(since.getTime() / 1000);
    let now = await balanceOf(stripe);
    if (!now) return { rows: await movementsIn({ gte: from }), held: 'forbidden' };
    const earlier = await movementsIn({ lt: from });
    const before = sumsOf(earlier.map(row => inHundredths(row.currency, row.net)));
    for (let left = MOST_READINGS; ; left -= 1) {
      const [was, rows] = [now, await movementsIn({ gte: from })];
      now = (await balanceOf(stripe)) ?? {};
      // A movement between both readings would be in one of them only.
      if (isEqual(was, now)) return { rows, held: { now, before } };
      if (left === 1) return { rows, held: 'moving' };
    }
  }

  return {
    provider: 'stripe',
    methods: ['card', 'promptpay'],

    async payments(since) {
      return { payments: (await intentsSince(since)).filter(({ paid }) => paid).map(received) };
    },

    async read(since, whole = false) {
      const page = pageSince(since);
      // The balance is read last, so that every movement has its payment or refund in the lists, or
      // is in progress.
      const intents = await intentsSince(since);
      const refunds = await reach(Array.fromAsync(stripe.refunds.list(page)));
      const disputes = await reach(Array.fromAsync(stripe.disputes.list(page)));
      const payouts = await unlessForbidden(reach(Array.fromAsync(stripe.payouts.list(page))));
      const { rows, held } = whole ? await movementsSince(since) : { rows: await movementsIn(page.created) };
      const paid = intents.filter(intent => intent.paid);
      const sales = [
        ...paid.map(
          ({ ref, currency, charge }) => [charge.id, { ref, currency, amount: charge.amount }] as const,
        ),
        ...[...refunds, ...disputes].map(
          ({ id, currency, amount }) => [id, { ref: id, currency, amount }] as const,
        ),
      ];
      const movements = movementsOf(
        rows,
        new Map(sales),
        new Map(payouts?.map(({ id, destination }) => [id, idOf(destination)])),
      );
      const effects = paymentEffects(movements);
      return {
        payments: paid.map(row => ({ ...received(row), net: effects.get(row.ref) })),
        refunds: refunds.map(refundRow),
        payable: intents.filter(({ payable }) => payable).map(row => ({ ...named(row), amount: row.amount })),
        disputed: disputes.map(({ id }) => id),
        disputes: disputesIn(movements),
        movements,
        ...(held && { held }),
      };
    },

    async refund(ref) {
      const refund = await unlessUnknown(reach(stripe.refunds.retrieve(ref)));
      if (!refund) return undefined;
      const { currency, net: amount } = inHundredths(refund.currency, refund.amount);
      const paymentRef = idOf(refund.payment_intent ?? refund.charge) ?? '';
      return { paymentRef, currency, amount, state: refundOf(refund).state };
    },

    async refundsOf({ ref }) {
      const list = await reach(
        stripe.refunds.list({ payment_intent: ref, limit: 100 }).autoPagingToArray({ limit: 1000 }),
      );
      return list.map(refundRow);
    },
  };
};

/** How often movements are read again while the balance changes. */
const MOST_READINGS = 3;

async function balanceOf(stripe: Stripe): Promise<Record<string, number> | undefined> {
  const balance = await unlessForbidden(reach(stripe.balance.retrieve()));
  const parts = balance && [...balance.available, ...balance.pending];
  return parts && sumsOf(parts.map(({ currency, amount }) => inHundredths(currency, amount)));
}

const isEqual = (one: Record<string, number>, other: Record<string, number>): boolean =>
  [...new Set([one, other].flatMap(Object.keys))].every(currency => one[currency] === other[currency]);

const disputesIn = (movements: GatewayStatement['movements']): GatewayStatement['disputes'] =>
  movements
    .filter(({ kind }) => kind === 'dispute')
    .map(({ id, of, currency, net, sold }) => ({ ref: of ?? id, ...(sold ?? { currency, net }) }))
    .map(({ ref, currency, net }) => ({ ref, currency, net }));
