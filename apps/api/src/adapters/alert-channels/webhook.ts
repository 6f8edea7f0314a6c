import { createHmac } from 'node:crypto';
import type { AlertChannel } from '../../ports/alert-channel.ts';
import type { Clock } from '../../ports/clock.ts';
import { post } from './post.ts';

/**
 * Signature of a webhook by Standard Webhooks (standardwebhooks.com), version 1: HMAC-SHA256 of ID, seconds and body.
 * @param secret `whsec_` and the key in base64
 */
export function signWebhook(secret: string, id: string, seconds: number, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
}

/** A service of the operator's own. Its webhook has the same ID each time that it is sent again. */
export const createWebhookChannel = (
  systemClock: Clock,
  { url, secret }: { url: string; secret: string },
): AlertChannel => ({
  name: 'webhook',
  async send({ id, event, ...data }) {
    const seconds = Math.floor(systemClock.now().getTime() / 1000);
    const timestamp = new Date(seconds * 1000).toISOString();
    const body = JSON.stringify({ type: `alert.${event}`, timestamp, data });
    await post(url, body, {
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': signWebhook(secret, id, seconds, body),
    });
  },
});
