import { AsyncLocalStorage } from 'node:async_hooks';

/** With whose rights queries are made: the application's, or those of the customer whose call is being answered. */
export type Scope = 'application' | { customerId: string };

const scopes = new AsyncLocalStorage<Scope>();

/**
 * The scope of what runs now.
 * @throws outside of any: a query whose caller nobody can name is a mistake, never the application's by default
 */
export function scopeNow(): Scope {
  const scope = scopes.getStore();
  if (!scope) throw new Error('A query outside of asApplication and asCustomer');
  return scope;
}

/**
 * Runs `work` with the application's rights: all of a process, then each job and call again.
 * @throws inside a customer's call: there is no way out of its confinement but the end of the call
 */
export function asApplication<T>(work: () => T): T {
  if (typeof scopes.getStore() === 'object') throw new Error('A customer’s call stays confined to his rows');
  return scopes.run('application', work);
}

/**
 * Runs `work` with every query of it made as `fixpoint_customer` for one customer (S30): whatever handle it uses, and
 * also when a query forgets to say whose rows it wants. The policies are in migration 0002.
 * @throws inside another customer's call
 */
export function asCustomer<T>(customerId: string, work: () => T): T {
  const outer = scopes.getStore();
  if (typeof outer === 'object' && outer.customerId !== customerId)
    throw new Error('One customer’s call inside another’s');
  return scopes.run({ customerId }, work);
}
