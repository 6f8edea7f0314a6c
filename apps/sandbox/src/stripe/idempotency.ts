import { createHash } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Store } from '../store.ts';
import { idempotencyRefusal, invalid } from './errors.ts';

/** A finished answer. */
export type Answer = { status: number; body: string; request: string };
type Row = Answer & { call: string; parameters: string; created: number };

/** Keys are kept for a day, Stripe's guaranteed minimum. */
const LIFETIME_SECONDS = 24 * 3_600;

/**
 * Stores the first answer to each idempotency key. `begin` returns that answer or claims the key;
 * throws if the key was used for another call (400) or is in use (409).
 */
export function createIdempotency(store: Store, clock: Clock) {
  const rows = store.table<Row>('idempotency');
  const running = new Set<string>();
  const digest = (text: string) => createHash('sha256').update(text).digest('base64');

  return {
    begin(key: string, call: string, body: string): Answer | undefined {
      if (key.length > 255) throw invalid('Idempotency keys must be at most 255 characters long.');
      if (running.has(key)) {
        throw idempotencyRefusal(
          409,
          `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
        );
      }
      const row = rows.get(key);
      if (row && row.created + LIFETIME_SECONDS > clock.seconds()) {
        if (row.call !== call) {
          throw idempotencyRefusal(
            400,
            `Keys for idempotent requests can only be used for the same endpoint they were first used for ('${row.call}' vs '${call}'). Try using a key other than '${key}' if you meant to execute a different request.`,
          );
        }
        if (row.parameters !== digest(body)) {
          throw idempotencyRefusal(
            400,
            `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
          );
        }
        return { status: row.status, body: row.body, request: row.request };
      }
      running.add(key);
      return undefined;
    },
    /** Ends a claim; with an answer, every later use of the key gets it. */
    end(key: string, call: string, body: string, answer: Answer | undefined): void {
      running.delete(key);
      if (answer) rows.put(key, { ...answer, call, parameters: digest(body), created: clock.seconds() });
    },
  };
}
