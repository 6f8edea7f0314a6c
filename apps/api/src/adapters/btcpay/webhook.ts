import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookEvent } from '../../ports/payment-gateway.ts';
import type { BtcpaySettings } from './client.ts';
import { webhookShape } from './shapes.ts';

/** Events that report a movement of money; the others only report a change of an invoice. */
const MOVED = new Set([
  'InvoiceReceivedPayment',
  'InvoicePaymentSettled',
  'InvoiceSettled',
  'InvoicePaidAfterExpiration',
]);

/**
 * Events of a webhook delivery that one of our secrets has signed (S40). The signature covers no
 * time: a repeated delivery is recognised by its first id, which is stored for good. A delivery for
 * another store counts as forged.
 */
export function webhookEventsOf(
  { webhookSecrets, storeId }: BtcpaySettings,
  body: Buffer,
  signature: string | string[] | undefined,
): WebhookEvent[] | 'forged' {
  if (typeof signature !== 'string') return 'forged';
  if (!webhookSecrets.some(secret => isSigned(secret, body, signature))) return 'forged';
  const parsed = webhookShape.safeParse(jsonOf(body));
  if (!parsed.success || parsed.data.storeId !== storeId) return 'forged';
  const { type, deliveryId, originalDeliveryId, invoiceId, pullPaymentId, metadata } = parsed.data;
  const eventId = originalDeliveryId ?? deliveryId;
  if (pullPaymentId) return [{ eventId, type, about: 'refund', ref: pullPaymentId, ours: null, moved: true }];
  if (!invoiceId || type === 'InvoiceCreated') return [];
  const ours = metadata?.attemptId ?? null;
  return [{ eventId, type, about: 'payment', ref: invoiceId, ours, moved: MOVED.has(type) }];
}

function isSigned(secret: string, body: Buffer, signature: string): boolean {
  const wanted = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  const given = Buffer.from(signature);
  return wanted.length === given.length && timingSafeEqual(wanted, given);
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
