import { createHmac } from 'node:crypto';

/** The `Stripe-Signature` header for a raw body; `timestamp` in seconds (P19). */
export function signatureHeader(secret: string, timestamp: number, rawBody: string): string {
  const signature = createHmac('sha256', secret).update(`${timestamp}.${rawBody}`).digest('hex');
  return `t=${timestamp},v1=${signature}`;
}
