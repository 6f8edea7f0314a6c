import { failPoint } from '../../failpoints.ts';
import type { CardPayments, ProviderPayment } from '../../ports/card-payments.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import { followPayment } from './follow-payment.ts';
import { createRefunds } from './refund-excess.ts';
import { createSavedCards } from './saved-cards.ts';
import { type Attempt, attemptById, attemptsOf, openOrNewAttempt, updateAttempt } from './store.ts';

/**
 * Told in the transaction that settles: the invoice was paid, or its attempt was refused. The checkout module answers
 * to it (against the order of modules, hence by event).
 */
export type PaymentOutcome = (
  tx: Db,
  outcome: { orderId: string; result: 'paid' } | { orderId: string; result: 'refused'; failure: string },
) => Promise<void>;

/**
 * What payment needs to know and do of an invoice, in the caller's transaction. Billing does it; payment stands before
 * billing in the order of modules, so it is handed in.
 */
export type Invoices = {
  /** Whoever settles waits here for the others. */
  lock(
    tx: Db,
    id: string,
  ): Promise<{
    id: string;
    orderId: string;
    status: 'draft' | 'paid' | 'void';
    currency: string;
    total: number;
  }>;
  pay(tx: Db, now: Date, invoiceId: string, attemptId: string): Promise<void>;
  recordExcess(
    tx: Db,
    now: Date,
    excess: { attemptId: string; currency: string; amount: number },
  ): Promise<void>;
};

/** What the page needs to let the customer pay. */
export type Payable = { clientSecret: string; requiresAction: boolean };

export type PaymentDeps = {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  cards: CardPayments;
  invoices: Invoices;
  /** Whether the account has not ended; it does not before the transaction is over. Handed in like the invoices. */
  holdActive(tx: Db, customerId: string): Promise<boolean>;
  onOutcome: PaymentOutcome;
};

export function createPayment(deps: PaymentDeps) {
  const { db, clock, cards, invoices } = deps;
  const follow = (payment: ProviderPayment) => followPayment(deps, payment);

  /** Write the intent, then call, then write the result (X1). */
  async function send(attempt: Attempt, payer: { email: string; language: string; key: string }) {
    const providerCustomer = attempt.provider_customer ?? (await cards.createCustomer(payer));
    failPoint('provider.customerMade');
    if (!attempt.provider_customer) {
      await updateAttempt(db, clock.now(), attempt.id, { provider_customer: providerCustomer });
    }
    const payment = await cards.createPayment({
      attemptId: attempt.id,
      invoiceId: attempt.invoice_id,
      providerCustomer,
      currency: attempt.currency,
      amount: attempt.amount,
    });
    failPoint('provider.paymentMade');
    await updateAttempt(db, clock.now(), attempt.id, { provider_ref: payment.providerRef });
    failPoint('attempt.sent');
    return payment;
  }

  return {
    /**
     * A payment that the page can confirm, for an invoice that is not paid. Repeated calls (double click, reload,
     * second tab) get the same one; after a refusal the old one is closed at the provider first, so that two of them
     * can never both take money. Undefined when the invoice turned out to be paid.
     */
    async open(
      invoiceId: string,
      payer: { email: string; language: string; key: string },
    ): Promise<Payable | undefined> {
      for (;;) {
        const attempt = await db.transaction().execute(async tx => {
          const invoice = await invoices.lock(tx, invoiceId);
          return invoice.status === 'draft' ? openOrNewAttempt(tx, clock.now(), invoice) : undefined;
        });
        if (!attempt) return undefined;
        failPoint('attempt.created');
        // The last attempt may have been refused here but still be open for another confirmation at the provider.
        const earlier = (await attemptsOf(db, invoiceId)).filter(
          other => other.id !== attempt.id && other.status === 'failed' && other.provider_ref,
        );
        for (const other of earlier) await follow(await cards.cancelPayment(other.provider_ref!));

        const payment = attempt.provider_ref
          ? await cards.getPayment(attempt.provider_ref)
          : await send(attempt, payer);
        const status = await follow(payment);
        if (status === 'succeeded') return undefined;
        // Refused in the meantime: the next round closes it and opens a new one.
        if (status === 'failed' || status === 'canceled') continue;
        return { clientSecret: payment.clientSecret, requiresAction: !payment.untouched };
      }
    },

    /** Asks the provider how all unfinished attempts of an invoice stand, and follows. */
    async check(invoiceId: string): Promise<void> {
      for (const attempt of await attemptsOf(db, invoiceId)) {
        if (attempt.status !== 'succeeded' && attempt.status !== 'canceled' && attempt.provider_ref) {
          await follow(await cards.getPayment(attempt.provider_ref));
        }
      }
    },

    /** The same for one attempt, also when the answer to its first call was lost. */
    async checkAttempt(attemptId: string): Promise<void> {
      const attempt = await attemptById(db, attemptId);
      if (!attempt || attempt.status === 'succeeded' || attempt.status === 'canceled') return;
      const payment = attempt.provider_ref
        ? await cards.getPayment(attempt.provider_ref)
        : attempt.provider_customer
          ? await cards.findPayment({ providerCustomer: attempt.provider_customer, attemptId })
          : undefined;
      if (payment) {
        await updateAttempt(db, clock.now(), attempt.id, { provider_ref: payment.providerRef });
        await follow(payment);
      } else {
        // Nothing left this house: no money can come. The order may be paid again.
        await updateAttempt(db, clock.now(), attempt.id, { status: 'canceled' });
      }
    },

    /** Closes what is open at the provider for an order that ran out; money that was faster counts. */
    async close(invoiceId: string): Promise<void> {
      for (const attempt of await attemptsOf(db, invoiceId)) {
        if (attempt.provider_ref && attempt.status !== 'succeeded' && attempt.status !== 'canceled') {
          await follow(await cards.cancelPayment(attempt.provider_ref));
        }
      }
    },

    /** A stored webhook event: look the object up and follow it. Types without a payment of ours are only ticked off. */
    async processEvent(eventId: string): Promise<void> {
      const event = await db
        .selectFrom('provider_event')
        .selectAll()
        .where('provider', '=', 'stripe')
        .where('event_id', '=', eventId)
        .executeTakeFirst();
      if (!event || event.processed_at) return;
      if (event.type.startsWith('payment_intent.')) await follow(await cards.getPayment(event.object_ref));
      await db
        .updateTable('provider_event')
        .set({ processed_at: clock.now() })
        .where('provider', '=', 'stripe')
        .where('event_id', '=', eventId)
        .execute();
    },

    /** The attempt that paid an invoice. */
    async paidAttempt(tx: Db, invoiceId: string): Promise<Attempt | undefined> {
      return (await attemptsOf(tx, invoiceId)).find(
        attempt => attempt.status === 'succeeded' && !attempt.excess,
      );
    },

    ...createRefunds(deps),
    ...createSavedCards(deps),
  };
}
export type Payment = ReturnType<typeof createPayment>;
