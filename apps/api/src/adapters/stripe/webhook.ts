import Stripe from 'stripe';
import type { WebhookEvent } from '../../ports/payment-gateway.ts';
import type { StripeSettings } from './client.ts';

/** Maximum age of a delivery in seconds (S38). */
const TOLERANCE_S = 300;

/** Subject of a type of event; undefined for events that move nothing of ours. */
const aboutOf = (type: string): WebhookEvent['about'] | undefined => {
  if (/^payment_intent\.(succeeded|payment_failed|processing|requires_action|canceled)$/.test(type))
    return 'payment';
  if (type.startsWith('refund.') || type === 'charge.refund.updated') return 'refund';
  if (type.startsWith('charge.dispute.')) return 'dispute';
  if (/^payment_method\.(automatically_updated|updated|detached)$/.test(type)) return 'method';
  if (/^setup_intent\.(succeeded|setup_failed)$/.test(type)) return 'saving';
  return undefined;
};

/** A signed body that is no event with its object, such as a thin event: nothing of it is used. */
const NO_EVENT = 'no event';

/** Fields of an event's object that are read, whatever its type. */
type Named = { id?: string; metadata?: { attempt_id?: string; refund_id?: string } | null };

/**
 * Events of a delivery that one of our secrets has signed within the last five minutes (S38). A
 * delivery for another account or mode counts as forged.
 */
export function webhookEventsOf(
  stripe: Stripe,
  settings: StripeSettings,
  body: Buffer,
  signature: string | string[] | undefined,
): WebhookEvent[] | 'forged' {
  if (typeof signature !== 'string') return 'forged';
  const livemode = settings.secret.includes('_live_');
  for (const secret of settings.webhookSecrets) {
    const event = verified(stripe, body, signature, secret, settings.clock.now());
    if (!event) continue;
    if (event === NO_EVENT) return [];
    if (event.livemode !== livemode || event.account) return 'forged';
    const about = aboutOf(event.type);
    const { id, metadata } = event.data.object as Named;
    if (!about || !id) return [];
    const ours = (about === 'payment' ? metadata?.attempt_id : metadata?.refund_id) ?? null;
    const moved = about === 'refund' || event.type === 'payment_intent.succeeded';
    return [{ eventId: event.id, type: event.type, about, ref: id, ours, moved }];
  }
  return 'forged';
}

function verified(
  stripe: Stripe,
  body: Buffer,
  signature: string,
  secret: string,
  now: Date,
): Stripe.Event | typeof NO_EVENT | undefined {
  try {
    const event: unknown = stripe.webhooks.constructEvent(
      body,
      signature,
      secret,
      TOLERANCE_S,
      undefined,
      now.getTime(),
    );
    return isEvent(event) ? event : noEvent(body);
  } catch (error) {
    // The signature was checked first, so what fails later is signed.
    return error instanceof Stripe.errors.StripeSignatureVerificationError ? undefined : noEvent(body);
  }
}

/**
 * Stripe repeats a delivery that is refused, and disables the endpoint in the end, so an object that
 * is no event is taken, if it has an ID, as all that Stripe sends.
 */
function noEvent(body: Buffer): typeof NO_EVENT | undefined {
  try {
    const given: unknown = JSON.parse(body.toString());
    return typeof (given as { id?: unknown } | null)?.id === 'string' ? NO_EVENT : undefined;
  } catch {
    return undefined;
  }
}

function isEvent(given: unknown): given is Stripe.Event {
  const { id, type, data } = (given ?? {}) as { id?: unknown; type?: unknown; data?: { object?: unknown } };
  return (
    typeof id === 'string' && typeof type === 'string' && typeof data?.object === 'object' && !!data.object
  );
}
