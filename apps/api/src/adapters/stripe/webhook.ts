import Stripe from 'stripe';
import type { Notice } from '../../ports/payment-gateway.ts';
import type { StripeSettings } from './client.ts';

/** A delivery is refused when it is older than this, in seconds (S38). */
const TOLERANCE_S = 300;

const aboutOf = (type: string): Notice['about'] => {
  if (type.startsWith('payment_intent.')) return 'payment';
  if (type.startsWith('refund.') || type === 'charge.refund.updated') return 'refund';
  if (type.startsWith('charge.dispute.')) return 'dispute';
  return 'other';
};

/**
 * The notice of a delivery whose signature one of our secrets made, over these bytes, within five minutes (S38).
 */
export function noticesOf(
  stripe: Stripe,
  settings: StripeSettings,
  body: Buffer,
  signature: string | string[] | undefined,
): Notice[] | 'forged' {
  if (typeof signature !== 'string') return 'forged';
  const livemode = settings.secret.includes('_live_');
  for (const secret of settings.webhookSecrets) {
    const event = verified(stripe, body, signature, secret, settings.clock.now());
    if (!event) continue;
    if (event.livemode !== livemode) return 'forged';
    const { id } = event.data.object as { id?: string };
    return id ? [{ eventId: event.id, type: event.type, about: aboutOf(event.type), ref: id }] : [];
  }
  return 'forged';
}

function verified(
  stripe: Stripe,
  body: Buffer,
  signature: string,
  secret: string,
  now: Date,
): Stripe.Event | undefined {
  try {
    return stripe.webhooks.constructEvent(body, signature, secret, TOLERANCE_S, undefined, now.getTime());
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return undefined;
    throw error;
  }
}
