import { createHash } from 'node:crypto';
import { minimumByCard } from '@fixpoint/contract/minimum-charge.ts';
import { takesAmount } from '@fixpoint/domain/payment/amount-limits.ts';
import type { PaymentGateway, Reported } from '../../ports/payment-gateway.ts';
import { createStripeCard } from './card.ts';
import { asPayer, notMade, type StripeClient } from './client.ts';
import { intentOf, paymentOf } from './objects.ts';

/**
 * An unpaid QR code is only shown again with another confirmation, which is another attempt of
 * ours.
 */
const ended = (reported: Reported): Reported => {
  const { decline: _, ...rest } = reported;
  const over = reported.state === 'failed' || (reported.state === 'open' && !reported.nextAction);
  return over ? { ...rest, state: 'closed' } : reported;
};

/**
 * PromptPay at Stripe: a PaymentIntent confirmed by the shop that returns a QR code, and then
 * behaves like a card payment.
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
    takes: (currency, amount) =>
      takesAmount('promptpay', currency, amount, { minimumByCard: minimumByCard(currency) }),

    async start(attempt) {
      const { email } = attempt;
      if (!email) throw new Error(`Attempt ${attempt.id}: PromptPay needs an email address for refunds`);
      const made = asPayer(
        stripe.paymentIntents.create(
          {
            ...intentOf(attempt),
            allowed_payment_method_types: ['promptpay'],
            payment_method_data: { type: 'promptpay', billing_details: { email } },
            confirm: true,
          },
          // A corrected address makes another call. Nobody has seen the code of the first one.
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
