import { lockTimeout } from './errors.ts';
import type { Form } from './form.ts';
import type { StripeState } from './state.ts';

/**
 * Locks of objects that a call changes. Stripe answers a second call for the same object with 429
 * (docs.stripe.com/rate-limits#object-lock-timeouts, docs.stripe.com/error-codes#lock-timeout).
 */
export type Locks = {
  /** @throws StripeRefusal if another call or process uses one of the objects */
  take(objects: readonly string[]): void;
  release(objects: readonly string[]): void;
};

export function createLocks({ locks, clock }: Pick<StripeState, 'locks' | 'clock'>): Locks {
  const inUse = new Set<string>();
  return {
    take(objects) {
      const isTaken = (id: string) => inUse.has(id) || (locks.get(id)?.until ?? 0) > clock.now();
      if (objects.some(isTaken)) throw lockTimeout();
      for (const id of objects) inUse.add(id);
    },
    release(objects) {
      for (const id of objects) inUse.delete(id);
    },
  };
}

/** Locks an object for a time, as another process of Stripe does; 0 ms unlocks it. */
export function lock(state: StripeState, id: string, ms: number): void {
  state.locks.put(lockedBy(state, id), { until: state.clock.now() + ms });
}

/** Objects that a call changes. A charge and its refunds share the lock of their payment. */
export function objectsOf(state: StripeState, id: string, form: Form): string[] {
  const named = [id, form.payment_intent, form.charge].filter(one => typeof one === 'string' && one !== '');
  return [...new Set(named.map(one => lockedBy(state, String(one))))];
}

const lockedBy = ({ charges, refunds, disputes }: StripeState, id: string): string =>
  String((charges.get(id) ?? refunds.get(id) ?? disputes.get(id))?.payment_intent ?? id);
