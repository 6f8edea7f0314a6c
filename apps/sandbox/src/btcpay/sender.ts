import { createHmac } from 'node:crypto';
import type { Sender } from '../delivery/queue.ts';
import type { BtcpayState } from './state.ts';

const WEBHOOK = 'whk_home';
const MINUTE_MS = 60_000;
/** Delays before each retry (WebhookSender of BTCPay 2.4). */
const WAITS_MS = [10_000, MINUTE_MS, ...Array.from({ length: 6 }, () => 10 * MINUTE_MS)];

/** Signature header over the raw body; it contains no time. */
export const btcpaySignature = (secret: string, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/** BTCPay's delivery of events: one lane, in which a retry blocks all later ones. */
export const btcpaySender = (
  { events, ids }: BtcpayState,
  webhook: { url: string; secret: string },
): Sender => ({
  provider: 'btcpay',
  blocksLane: true,
  events: () => events.all().map(({ id }) => id),
  event(id) {
    const event = events.get(id);
    return event && { type: event.told.type, lane: WEBHOOK };
  },
  listeners: () => [WEBHOOK],
  async post(delivery, action) {
    const event = events.get(delivery.event);
    if (!event) return undefined;
    // The first delivery has the event's own id; each later one has another, plus the original.
    events.put(event.id, { ...event, sent: true });
    const body = JSON.stringify(
      {
        deliveryId: event.sent ? ids.next('', 27) : event.id,
        webhookId: WEBHOOK,
        originalDeliveryId: event.id,
        isRedelivery: event.sent,
        ...event.told,
        timestamp: event.at,
      },
      null,
      2,
    );
    const secret = action === 'badSignature' ? 'of somebody else' : webhook.secret;
    return { url: webhook.url, body, headers: { 'btcpay-sig': btcpaySignature(secret, body) } };
  },
  // Only temporary failures are retried, never a 4xx.
  waitAfter(tries) {
    const { status = 500 } = tries.at(-1)!;
    const passes = status >= 500 || status === 408 || status === 429;
    return passes ? WAITS_MS[tries.length - 1] : undefined;
  },
});
