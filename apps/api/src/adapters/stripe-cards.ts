import { fromProviderUnit, toProviderUnit } from '@fixpoint/domain/kernel/money.ts';
import type { AttemptStatus } from '@fixpoint/domain/payment/attempt.ts';
import Stripe from 'stripe';
import { NamedFault } from '../http/refusal.ts';
import type { CardPayments, ProviderPayment } from '../ports/card-payments.ts';

export type StripeSettings = {
  secret: string;
  webhookSecrets: string[];
  host: string;
  port: number;
  protocol: 'http' | 'https';
};

function statusOf(intent: Stripe.PaymentIntent): AttemptStatus {
  switch (intent.status) {
    case 'succeeded':
      return 'succeeded';
    case 'canceled':
      return 'canceled';
    case 'processing':
    case 'requires_capture':
      return 'processing';
    case 'requires_payment_method':
      // Also the state before the first try: only a recorded error makes it a refusal.
      return intent.last_payment_error ? 'failed' : 'requiresAction';
    default:
      return 'requiresAction';
  }
}

function paymentOf(intent: Stripe.PaymentIntent): ProviderPayment {
  const currency = intent.currency.toUpperCase();
  const method = typeof intent.payment_method === 'object' ? intent.payment_method : null;
  const error = intent.last_payment_error;
  return {
    providerRef: intent.id,
    providerCustomer: typeof intent.customer === 'string' ? intent.customer : intent.customer?.id,
    attemptId: intent.metadata.attempt_id,
    status: statusOf(intent),
    untouched: intent.status === 'requires_payment_method' && !error,
    amount: fromProviderUnit(currency, intent.amount),
    received: fromProviderUnit(currency, intent.amount_received),
    currency,
    declineCode: error?.decline_code ?? error?.code,
    clientSecret: intent.client_secret ?? '',
    ...(method?.card && {
      card: {
        ref: method.id,
        brand: method.card.brand,
        last4: method.card.last4,
        expiryMonth: method.card.exp_month,
        expiryYear: method.card.exp_year,
      },
    }),
  };
}

/** No answer, a busy or a broken provider: the outcome is unknown. Everything else is a mistake of ours. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeConnectionError ||
  error instanceof Stripe.errors.StripeAPIError ||
  error instanceof Stripe.errors.StripeRateLimitError;

async function reach<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw isUnreachable(error) ? new NamedFault('providerUnreachable', { cause: error }) : error;
  }
}

/** Stripe through its official SDK (P2). Only base address and keys differ from the sandbox. */
export function createStripeCards(settings: StripeSettings): CardPayments {
  const stripe = new Stripe(settings.secret, {
    host: settings.host,
    port: settings.port,
    protocol: settings.protocol,
    maxNetworkRetries: 2,
    timeout: 20_000,
    telemetry: false,
  });
  const livemode = settings.secret.includes('_live_');
  const withMethod = { expand: ['payment_method'] };

  return {
    async createCustomer({ key, email, language }) {
      const customer = await reach(
        stripe.customers.create({ email, preferred_locales: [language] }, { idempotencyKey: key }),
      );
      return customer.id;
    },

    async createPayment({ attemptId, invoiceId, providerCustomer, currency, amount }) {
      const intent = await reach(
        stripe.paymentIntents.create(
          {
            amount: toProviderUnit(currency, amount),
            currency: currency.toLowerCase(),
            customer: providerCustomer,
            setup_future_usage: 'off_session',
            allowed_payment_method_types: ['card'],
            metadata: { invoice_id: invoiceId, attempt_id: attemptId },
            ...withMethod,
          },
          // One key per attempt row, never per invoice: a retry after a decline is a new attempt (P17).
          { idempotencyKey: `pa-${attemptId}` },
        ),
      );
      return paymentOf(intent);
    },

    async getPayment(providerRef) {
      return paymentOf(await reach(stripe.paymentIntents.retrieve(providerRef, withMethod)));
    },

    async findPayment({ providerCustomer, attemptId }) {
      const list = await reach(stripe.paymentIntents.list({ customer: providerCustomer, limit: 100 }));
      const found = list.data.find(intent => intent.metadata.attempt_id === attemptId);
      return found && paymentOf(found);
    },

    async cancelPayment(providerRef) {
      try {
        return paymentOf(await reach(stripe.paymentIntents.cancel(providerRef)));
      } catch (error) {
        // "unexpected state": paid or cancelled meanwhile. The provider's present word decides.
        if (error instanceof Stripe.errors.StripeInvalidRequestError) return this.getPayment(providerRef);
        throw error;
      }
    },

    async refund({ key, providerRef, currency, amount }) {
      const refund = await reach(
        stripe.refunds.create(
          { payment_intent: providerRef, amount: toProviderUnit(currency, amount) },
          { idempotencyKey: key },
        ),
      );
      const status =
        refund.status === 'succeeded' ? 'succeeded' : refund.status === 'failed' ? 'failed' : 'pending';
      return { ref: refund.id, status };
    },

    verifyEvent(rawBody, signature) {
      if (!signature) return undefined;
      for (const secret of settings.webhookSecrets) {
        try {
          const event = stripe.webhooks.constructEvent(rawBody, signature, secret);
          if (event.livemode !== livemode) return undefined;
          const objectRef = (event.data.object as { id?: string }).id;
          return objectRef ? { id: event.id, type: event.type, objectRef } : undefined;
        } catch (error) {
          if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error;
        }
      }
      return undefined;
    },
  };
}
