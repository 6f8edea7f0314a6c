import { verify } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { WebhookEvent } from '../../ports/payment-gateway.ts';
import type { Certificates } from './certificates.ts';

type Headers = Record<string, string | string[] | undefined>;

/** `network`: hash of the sender's network. */
type Delivery = { body: Buffer; headers: Headers; network: string };

/** Fields of an event that are read, whatever its type. */
type Event = { id: string; event_type: string; resource: Resource };
type Resource = {
  id?: string;
  order_id?: string;
  dispute_id?: string;
  custom_id?: string;
  purchase_units?: { custom_id?: string }[];
  supplementary_data?: { related_ids?: { order_id?: string } };
};

/**
 * Events of a delivery that PayPal has signed for our webhook (S39). Deliveries have no maximum
 * age; the ids of events are stored for good.
 * @throws NamedFault if the certificate cannot be fetched now
 */
export async function webhookEventsOf(
  webhookId: string,
  certificates: Certificates,
  { body, headers, network }: Delivery,
): Promise<WebhookEvent[] | 'forged'> {
  if (!(await isGenuine(webhookId, certificates, { body, headers, network }))) return 'forged';
  certificates.deliveredFrom(network);
  const event = eventIn(body);
  if (!event) return 'forged';
  const notice = webhookEventOf(event);
  return notice ? [notice] : [];
}

async function isGenuine(
  webhookId: string,
  certificates: Certificates,
  { body, headers, network }: Delivery,
): Promise<boolean> {
  const [id, time, signature, address, algorithm] = [
    'transmission-id',
    'transmission-time',
    'transmission-sig',
    'cert-url',
    'auth-algo',
  ].map(name => headers[`paypal-${name}`]);
  if (typeof signature !== 'string' || typeof address !== 'string') return false;
  if (!id || !time || algorithm !== 'SHA256withRSA') return false;
  const key = await certificates.keyAt(address, network);
  const signed = `${id}|${time}|${webhookId}|${crc32(body)}`;
  return (
    key !== undefined && verify('RSA-SHA256', Buffer.from(signed), key, Buffer.from(signature, 'base64'))
  );
}

/** Undefined if the body is not an event, even if it is signed. */
function eventIn(body: Buffer): Event | undefined {
  try {
    const event = JSON.parse(body.toString()) as Partial<Event> | null;
    const whole = event?.id && event.event_type && typeof event.resource === 'object' && event.resource;
    return whole ? (event as Event) : undefined;
  } catch {
    return undefined;
  }
}

function webhookEventOf({ id, event_type: type, resource }: Event): WebhookEvent | undefined {
  const subject = subjectOf(type, resource);
  if (!subject?.ref) return undefined;
  const ours = resource.custom_id ?? resource.purchase_units?.[0]?.custom_id ?? null;
  const moved = subject.about === 'refund' || type === 'PAYMENT.CAPTURE.COMPLETED';
  return { eventId: id, type, about: subject.about, ref: subject.ref, ours, moved };
}

/**
 * Subject of a type of event, and its id in the resource; undefined for events that move nothing of
 * ours.
 */
function subjectOf(
  type: string,
  { id, order_id, dispute_id, supplementary_data }: Resource,
): { about: WebhookEvent['about']; ref: string | undefined } | undefined {
  if (type.startsWith('CUSTOMER.DISPUTE.')) return { about: 'dispute', ref: dispute_id };
  // Money that PayPal took back by itself. The id is that of the reversal.
  if (type === 'PAYMENT.CAPTURE.REVERSED') return { about: 'dispute', ref: id };
  if (type === 'PAYMENT.CAPTURE.REFUNDED' || type.startsWith('PAYMENT.REFUND.'))
    return { about: 'refund', ref: id };
  if (type.startsWith('PAYMENT.CAPTURE.')) {
    return { about: 'payment', ref: supplementary_data?.related_ids?.order_id };
  }
  if (type === 'CHECKOUT.ORDER.APPROVED') return { about: 'payment', ref: id };
  if (type === 'CHECKOUT.PAYMENT-APPROVAL.REVERSED') return { about: 'payment', ref: order_id };
  if (type === 'VAULT.PAYMENT-TOKEN.DELETED') return { about: 'method', ref: id };
  return undefined;
}
