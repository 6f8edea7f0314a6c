import { minimumByCard } from '@fixpoint/contract/minimum-charge.ts';
import { toProviderUnit } from '@fixpoint/domain/kernel/money.ts';
import { takesAmount } from '@fixpoint/domain/payment/amount-limits.ts';
import Stripe from 'stripe';
import {
  type AttemptRef,
  nothingMade,
  type PaymentGateway,
  type Reported,
  type TakenByProvider,
  UnknownGatewayCustomer,
} from '../../ports/payment-gateway.ts';
import { createCardCalls } from './card-calls.ts';
import { asPayer, missingIn, notMade, reach, type StripeClient, unlessUnknown } from './client.ts';
import { disputeOf, INTENT_EXPANDED, intentOf, paymentOf, refundOf } from './objects.ts';
import { refusedRefund } from './refund-refusals.ts';
import { webhookEventsOf } from './webhook.ts';

/** A declined saved card: the error contains its payment. */
function refusedIntent(error: unknown): Stripe.PaymentIntent {
  if (error instanceof Stripe.errors.StripeCardError && error.payment_intent) return error.payment_intent;
  throw error;
}

/** A saved method that is gone: nothing was created, and the attempt is declined. */
function refusedAsGone(attempt: AttemptRef, error: unknown): Reported | undefined {
  const isGone = error instanceof UnknownGatewayCustomer || missingIn(error) !== undefined;
  return attempt.savedRef && isGone
    ? { ...nothingMade(attempt), decline: 'resource_missing', gone: true }
    : undefined;
}

/**
 * Nobody waits for this answer, so it may wait until the charge is booked and contain its fee,
 * which saves a call.
 */
const BOOKED = { capture_method: 'automatic' } as const;

/**
 * Stripe refuses confirmations by the page, even with the client secret, so that no card gets past
 * the limits on declines. After the bank's question we confirm again.
 */
const CONFIRMED_BY_US = { confirmation_method: 'manual' } as const;

/**
 * Cards at Stripe: a PaymentIntent that the shop confirms with a card of Stripe's script. Card data
 * never reaches the shop.
 */
export function createStripeCard(client: StripeClient): PaymentGateway & TakenByProvider {
  const { stripe, settings } = client;
  /** Reads a payment; for a declined one also the number of declines, which it does not contain. */
  async function reportedOf(asked: Promise<Stripe.PaymentIntent>): Promise<Reported> {
    const reported = paymentOf(await asked.catch(refusedIntent));
    if (reported.state !== 'failed') return reported;
    const tries = await reach(stripe.charges.list({ payment_intent: reported.ref!, limit: 100 }));
    return { ...reported, declines: tries.data.filter(({ status }) => status === 'failed').length };
  }
  const retrieve = (ref: string) => reportedOf(reach(stripe.paymentIntents.retrieve(ref, INTENT_EXPANDED)));

  /**
   * Finds a payment by our id in its metadata. Absence proves nothing, because lists lag behind.
   */
  async function find(attempt: AttemptRef) {
    if (!attempt.gatewayCustomerRef) return 'unknown';
    const list = reach(
      stripe.paymentIntents
        .list({ customer: attempt.gatewayCustomerRef, limit: 100 })
        .autoPagingToArray({ limit: 1000 }),
    );
    const found = (await unlessUnknown(list))?.find(intent => intent.metadata.attempt_id === attempt.id);
    return found ? retrieve(found.id) : 'unknown';
  }

  return {
    method: 'card',
    provider: 'stripe',
    renewsByItself: true,
    unapplied: 'refund',
    takes: (currency, amount) =>
      takesAmount('card', currency, amount, { minimumByCard: minimumByCard(currency) }),

    async createGatewayCustomer({ id, key }) {
      const customer = await reach(
        stripe.customers.create({ metadata: { gateway_customer_id: id } }, { idempotencyKey: key }),
      );
      return customer.id;
    },

    async start(attempt) {
      const made = asPayer(
        stripe.paymentIntents.create(
          {
            ...intentOf(attempt),
            allowed_payment_method_types: ['card'],
            ...(attempt.savedRef
              ? { payment_method: attempt.savedRef, off_session: true, confirm: true, ...BOOKED }
              : {
                  ...(!attempt.byLink && { setup_future_usage: 'off_session' }),
                  ...CONFIRMED_BY_US,
                }),
          },
          { idempotencyKey: attempt.key },
        ),
      ).catch(refusedIntent);
      return made.then(
        () => reportedOf(made),
        error => refusedAsGone(attempt, error) ?? notMade(attempt, error),
      );
    },

    ask: attempt => (attempt.providerRef ? retrieve(attempt.providerRef) : find(attempt)),

    async close({ providerRef }) {
      if (!providerRef) return 'unknown';
      try {
        return paymentOf(await reach(stripe.paymentIntents.cancel(providerRef)));
      } catch (error) {
        // "unexpected state": paid or closed meanwhile. Read the current state.
        if (error instanceof Stripe.errors.StripeInvalidRequestError) return retrieve(providerRef);
        throw error;
      }
    },

    /** Needs no key: a payment is charged once, and a lost answer is read later. */
    capture: ({ providerRef }) =>
      reportedOf(
        reach(stripe.paymentIntents.confirm(providerRef!, { use_stripe_sdk: true, ...INTENT_EXPANDED })),
      ).catch((error: unknown) => {
        // "unexpected state": paid, closed or lapsed meanwhile. Read the current state.
        if (error instanceof Stripe.errors.StripeInvalidRequestError) return retrieve(providerRef!);
        throw error;
      }),

    cards: createCardCalls(client, { read: retrieve, reported: reportedOf }),

    async forget(savedRef) {
      try {
        await reach(stripe.paymentMethods.detach(savedRef));
      } catch (error) {
        // Detached or unknown: it cannot be used any more.
        if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
      }
    },

    async refund({ id, key, paymentRef, currency, amount }) {
      const made = reach(
        stripe.refunds.create(
          {
            payment_intent: paymentRef,
            amount: toProviderUnit(currency, amount),
            metadata: { refund_id: id },
          },
          { idempotencyKey: key },
        ),
      );
      return made.then(refundOf, refusedRefund);
    },

    async askRefund({ id, paymentRef, providerRef }) {
      if (providerRef) return refundOf(await reach(stripe.refunds.retrieve(providerRef)));
      const list = await reach(
        stripe.refunds.list({ payment_intent: paymentRef, limit: 100 }).autoPagingToArray({ limit: 1000 }),
      );
      const found = list.find(refund => refund.metadata?.refund_id === id);
      return found ? refundOf(found) : 'unknown';
    },

    async askDispute(ref) {
      const dispute = await unlessUnknown(reach(stripe.disputes.retrieve(ref)));
      return dispute ? disputeOf(dispute) : 'unknown';
    },

    readWebhook: async (body, headers) =>
      webhookEventsOf(stripe, settings, body, headers['stripe-signature']),
  };
}
