import { setTimeout as sleep } from 'node:timers/promises';
import type Stripe from 'stripe';

/** Of the calls that one second allows so many may come at once, so that a buyer among few others waits for nobody. */
const AT_ONCE = 0.2;
const SECOND_MS = 1000;

/**
 * When the next call of a kind may go out: never more than `aSecond` in any second, the rest evenly behind one another.
 * @returns ms to wait from `now`; asking takes the turn
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

/** What Stripe counts together: the same deed, whatever it is done to. */
function kindOf(method: string, path: string): string {
  const [, version, resource, id, deed] = path.split('?')[0]!.split('/');
  return [method, version, resource, id && ':id', deed].filter(Boolean).join(' ');
}

/**
 * Stripe allows an account 25 calls of each kind in a second, and answers 429 to more. Many renewals due at once wait here
 * instead, and so does whoever buys meanwhile: behind a few, not behind a refusal.
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
