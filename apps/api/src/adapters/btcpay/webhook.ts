import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Notice } from '../../ports/payment-gateway.ts';
import type { BtcpaySettings } from './client.ts';
import { webhookShape } from './shapes.ts';

/** They say that money has moved; the others only that an invoice did. */
const MOVED = new Set([
  'InvoiceReceivedPayment',
  'InvoicePaymentSettled',
  'InvoiceSettled',
  'InvoicePaidAfterExpiration',
]);

/**
 * The notices of a delivery whose signature one of our secrets made over these bytes (S40). The signature says no
 * time: what is sent again tells nothing new, since its first id is remembered for good. One of another store is as good
 * as forged.
 */
export function noticesOf(
  { webhookSecrets, storeId }: BtcpaySettings,
  body: Buffer,
  signature: string | string[] | undefined,
): Notice[] | 'forged' {
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
