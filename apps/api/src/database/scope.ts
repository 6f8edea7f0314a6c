import { AsyncLocalStorage } from 'node:async_hooks';

/** Rights of queries: the application's, or those of the customer whose call is being answered. */
export type Scope = 'application' | { customerId: string };

const scopes = new AsyncLocalStorage<Scope>();

/**
 * The current scope.
 * @throws outside of any: a query without a known caller is a mistake, never the application's by
 *   default
 */
export function scopeNow(): Scope {
  const scope = scopes.getStore();
  if (!scope) throw new Error('Query outside of asApplication and asCustomer');
  return scope;
}

/**
 * Runs `work` with the application's rights: the whole process, and each job and call.
 * @throws inside a customer's call, which stays confined until its end
 */
export function asApplication<T>(work: () => T): T {
  if (typeof scopes.getStore() === 'object')
    throw new Error('A customer’s call stays confined to their rows');
  return scopes.run('application', work);
}

/**
 * Runs `work` with all queries as `fixpoint_customer` for one customer (S30), even if a query lacks
 * a condition on the customer. The policies are in migration 0002.
 * @throws inside another customer's call
 */
export function asCustomer<T>(customerId: string, work: () => T): T {
  const outer = scopes.getStore();
  if (typeof outer === 'object' && outer.customerId !== customerId)
    throw new Error('One customer’s call inside another’s');
  return scopes.run({ customerId }, work);
}
