import { createHash } from 'node:crypto';
import { apiFault, PaypalRefusal } from './errors.ts';
import type { PaypalState } from './state.ts';

type Row = { made: string; body: string; until: number };

/**
 * Remembers the object created for each `PayPal-Request-Id`. A repeated call returns its current
 * state, not the first answer; refusals are not stored.
 */
export function createRequestIds({ store, clock }: PaypalState) {
  const rows = store.table<Row>('paypal.requestIds');
  const running = new Set<string>();
  const digest = (body: unknown) =>
    createHash('sha256')
      .update(JSON.stringify(body ?? null))
      .digest('base64');

  return {
    /**
     * @returns the id of what an earlier call created
     * @throws PaypalRefusal when the id is in use, or was used for something else
     */
    begin(key: string, body: unknown): string | undefined {
      if (running.has(key)) throw apiFault(409);
      const row = rows.get(key);
      if (row && row.until > clock.now()) {
        if (row.body === digest(body)) return row.made;
        throw new PaypalRefusal(400, 'INVALID_REQUEST', 'PayPal-Request-Id was used for another request.');
      }
      running.add(key);
      return undefined;
    },
    /** @param made undefined when nothing was created */
    end(key: string, body: unknown, made: string | undefined, lifetimeMs: number): void {
      running.delete(key);
      if (made) rows.put(key, { made, body: digest(body), until: clock.now() + lifetimeMs });
    },
  };
}
