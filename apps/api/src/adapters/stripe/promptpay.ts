import { createHash } from 'node:crypto';
import type { PaymentGateway, Reported } from '../../ports/payment-gateway.ts';
import { createStripeCard } from './card.ts';
import { asPayer, notMade, type StripeClient } from './client.ts';
import { intentOf, paymentOf } from './objects.ts';

/** A QR code that was not paid is shown again only with another confirmation, which is another attempt of ours. */
const ended = (reported: Reported): Reported => {
  const { decline: _, ...rest } = reported;
  const over = reported.state === 'failed' || (reported.state === 'open' && !reported.payable);
  return over ? { ...rest, state: 'closed' } : reported;
};

/**
 * PromptPay at Stripe: a PaymentIntent that is confirmed from here and answers the content of a QR code. Once it
 * is made, it is a payment like one by card.
 */
export function createStripePromptPay(client: StripeClient): PaymentGateway {
  const { stripe } = client;
  const { cards: _, forget: __, ...payments } = createStripeCard(client);
  const follow = async (asked: Promise<Reported | 'unknown'>) => {
    const reported = await asked;
    return reported === 'unknown' ? reported : ended(reported);
  };
  return {
    ...payments,
    method: 'promptpay',
    renewsByItself: false,
    takes: (currency, amount) => currency === 'THB' && payments.takes(currency, amount),

    async start(attempt) {
      const { email } = attempt;
      if (!email)
        throw new Error(`Attempt ${attempt.id}: PromptPay needs an address to ask where a refund is to go`);
      const made = asPayer(
        stripe.paymentIntents.create(
          {
            ...intentOf(attempt),
            allowed_payment_method_types: ['promptpay'],
            payment_method_data: { type: 'promptpay', billing_details: { email } },
            confirm: true,
          },
          // The buyer may correct his address: that is another call. Nobody has seen the code of the first.
          { idempotencyKey: `${attempt.key}-${digest(email)}` },
        ),
      );
      return made.then(
        intent => ended(paymentOf(intent)),
        error => notMade(attempt, error),
      );
    },

    ask: attempt => follow(payments.ask(attempt)),
    close: attempt => follow(payments.close(attempt)),
  };
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 10);
