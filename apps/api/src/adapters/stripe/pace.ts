import { setTimeout as sleep } from 'node:timers/promises';
import type Stripe from 'stripe';

/**
 * Share of a second's calls that may go out at once, so that a buyer does not wait without other
 * traffic.
 */
const AT_ONCE = 0.2;
const SECOND_MS = 1000;

/**
 * Paces calls: at most `aSecond` calls of a kind in any second, evenly spaced after a burst.
 * @returns ms to wait from `now`; calling it reserves the slot
 */
export function createTurns(aSecond: number): (kind: string, now: number) => number {
  const atOnce = Math.max(1, Math.floor(aSecond * AT_ONCE));
  const apart = SECOND_MS / Math.max(1, aSecond - atOnce);
  const next = new Map<string, number>();
  return (kind, now) => {
    const at = Math.max(next.get(kind) ?? Number.NEGATIVE_INFINITY, now - (atOnce - 1) * apart);
    next.set(kind, at + apart);
    return Math.max(0, at - now);
  };
}

/** Kind of a call as Stripe counts it: the same action, on whatever object. */
function kindOf(method: string, path: string): string {
  const [, version, resource, id, action] = path.split('?')[0]!.split('/');
  return [method, version, resource, id && ':id', action].filter(Boolean).join(' ');
}

/**
 * Stripe allows an account 25 calls per second of each kind and answers 429 beyond that. Many
 * renewals due at once wait here instead; buyers wait behind a few calls instead of being refused.
 */
export function paced(client: Stripe.HttpClient, aSecond: number): Stripe.HttpClient {
  const turns = createTurns(aSecond);
  const send = client.makeRequest.bind(client);
  client.makeRequest = async (...call) => {
    const [, , path, method] = call;
    const wait = turns(kindOf(method, path), performance.now());
    if (wait > 0) await sleep(wait);
    return send(...call);
  };
  return client;
}
