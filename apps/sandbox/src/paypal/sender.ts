import { backOffForThreeDays, type Sender } from '../delivery/queue.ts';
import { type Signing, transmission } from './signing.ts';
import type { PaypalState } from './state.ts';
import type { Event } from './wire.ts';

const OLD_MS = 600_000;

/** PayPal's delivery of events to the shop's only webhook. */
export const paypalSender = (
  { events, clock, origin }: PaypalState,
  webhook: { id: string; url: string },
  signing: () => Promise<Signing>,
): Sender => ({
  provider: 'paypal',
  events: () => events.all().map(({ id }) => id),
  event(id) {
    const event = events.get(id);
    return event && { type: event.event_type, lane: laneOf(event) };
  },
  listeners: () => [webhook.id],
  waitAfter: backOffForThreeDays,
  blocksLane: false,
  async post(delivery, action) {
    const event = events.get(delivery.event);
    if (!event) return undefined;
    const body = JSON.stringify(event);
    const at = new Date(clock.now() - (action === 'oldTimestamp' ? OLD_MS : 0));
    const webhookId = action === 'badSignature' ? 'OF-SOMEBODY-ELSE' : webhook.id;
    const headers = transmission(await signing(), { webhookId, body, at, origin: origin() });
    return { url: webhook.url, body, headers };
  },
});

/** Events about one order share a lane. */
function laneOf({ resource }: Event): string {
  const { id, supplementary_data } = resource as {
    id: string;
    supplementary_data?: { related_ids?: { order_id?: string } };
  };
  return supplementary_data?.related_ids?.order_id ?? id;
}
