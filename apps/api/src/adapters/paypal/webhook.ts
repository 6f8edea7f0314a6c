import { verify } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Notice } from '../../ports/payment-gateway.ts';
import type { Certificates } from './certificates.ts';

type Headers = Record<string, string | string[] | undefined>;

/** What an event is read for, whatever its type. */
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
 * The notices of a delivery that PayPal has signed for our webhook, over these bytes (S39). It sets no age: an event's id
 * is remembered for good.
 * @throws NamedFault when the certificate that the delivery names cannot be had now
 */
export async function noticesOf(
  webhookId: string,
  certificates: Certificates,
  body: Buffer,
  headers: Headers,
): Promise<Notice[] | 'forged'> {
  if (!(await isGenuine(webhookId, certificates, body, headers))) return 'forged';
  const event = eventIn(body);
  if (!event) return 'forged';
  const notice = noticeOf(event);
  return notice ? [notice] : [];
}

async function isGenuine(
  webhookId: string,
  certificates: Certificates,
  body: Buffer,
  headers: Headers,
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
  const key = await certificates.keyAt(address);
  const signed = `${id}|${time}|${webhookId}|${crc32(body)}`;
  return (
    key !== undefined && verify('RSA-SHA256', Buffer.from(signed), key, Buffer.from(signature, 'base64'))
  );
}

/** Signed or not, what is no event is nobody's news. */
function eventIn(body: Buffer): Event | undefined {
  try {
    const event = JSON.parse(body.toString()) as Partial<Event> | null;
    const whole = event?.id && event.event_type && typeof event.resource === 'object' && event.resource;
    return whole ? (event as Event) : undefined;
  } catch {
    return undefined;
  }
}

function noticeOf({ id, event_type: type, resource }: Event): Notice | undefined {
  const told = toldBy(type, resource);
  if (!told?.ref) return undefined;
  const ours = resource.custom_id ?? resource.purchase_units?.[0]?.custom_id ?? null;
  const moved = told.about === 'refund' || type === 'PAYMENT.CAPTURE.COMPLETED';
  return { eventId: id, type, about: told.about, ref: told.ref, ours, moved };
}

/** What a type of event is about, and which of the resource's names stands for it; undefined for what moves nothing of ours. */
function toldBy(
  type: string,
  { id, order_id, dispute_id, supplementary_data }: Resource,
): { about: Notice['about']; ref: string | undefined } | undefined {
  if (type.startsWith('CUSTOMER.DISPUTE.')) return { about: 'dispute', ref: dispute_id };
  // Money that PayPal has taken back by itself: its name is that of the reversal.
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
