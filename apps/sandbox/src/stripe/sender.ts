import { createHmac } from 'node:crypto';
import type Stripe from 'stripe';
import { backOffForThreeDays, type Sender } from '../delivery/queue.ts';
import { matches } from './api/records.ts';
import type { StripeState } from './state.ts';

/** Stripe's delivery of events. */
export const stripeSender = ({ events, endpoints, clock }: StripeState): Sender => ({
  provider: 'stripe',
  events: () => events.all().map(({ id }) => id),
  event(id) {
    const event = events.get(id);
    return event && { type: event.type, lane: laneOf(event) };
  },
  listeners: type =>
    endpoints
      .all()
      .filter(({ enabled_events }) => enabled_events.some(wanted => matches(type, wanted)))
      .map(({ id }) => id),
  waitAfter: backOffForThreeDays,
  blocksLane: false,
  async post(delivery, action) {
    const [event, endpoint] = [events.get(delivery.event), endpoints.get(delivery.endpoint)];
    if (!event || !endpoint) return undefined;
    const body = JSON.stringify(event, null, 2);
    const secret = action === 'badSignature' ? 'whsec_of_somebody_else' : endpoint.secret!;
    const timestamp = clock.seconds() - (action === 'oldTimestamp' ? 600 : 0);
    return {
      url: endpoint.url,
      body,
      headers: {
        'stripe-signature': signatureHeader(secret, timestamp, body),
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      },
    };
  },
});

/** Events about one payment, setup or customer's card share a lane. */
function laneOf(event: Stripe.Event): string {
  const object = event.data.object as { id: string; payment_intent?: unknown };
  return typeof object.payment_intent === 'string' ? object.payment_intent : object.id;
}

/** The `Stripe-Signature` header for a raw body; `timestamp` in seconds. */
function signatureHeader(secret: string, timestamp: number, rawBody: string): string {
  const signature = createHmac('sha256', secret).update(`${timestamp}.${rawBody}`).digest('hex');
  return `t=${timestamp},v1=${signature}`;
}
