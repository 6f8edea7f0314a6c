import { createHmac } from 'node:crypto';

/** The headers of Stripe's own for a raw body; `timestamp` in seconds (P19). */
export function stripeHeaders(secret: string, timestamp: number, rawBody: string): Record<string, string> {
  const signature = createHmac('sha256', secret).update(`${timestamp}.${rawBody}`).digest('hex');
  return {
    'stripe-signature': `t=${timestamp},v1=${signature}`,
    'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
  };
}
