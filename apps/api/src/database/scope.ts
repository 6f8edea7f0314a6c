import { AsyncLocalStorage } from 'node:async_hooks';

/** Whose call is being answered: a customer's, or with `userId` that of a member of the customer. */
export type Confined = { customerId: string; userId?: string | undefined };

/** Rights of queries: the application's, or those of the caller whose call is being answered. */
export type Scope = 'application' | Confined;

const scopes = new AsyncLocalStorage<Scope>();

/**
 * The current scope.
 * @throws outside of any: a query without a known caller is a mistake, never the application's by
 *   default
 */
export function scopeNow(): Scope {
  const scope = scopes.getStore();
  if (!scope) throw new Error('Query outside of asApplication and asCaller');
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
 * Runs `work` with all queries as `fixpoint_customer` for one customer (S30), or as `fixpoint_member` for one member of it,
 * even if a query lacks a condition on the caller. The policies are in migrations 0002 and 0043.
 * @throws inside another caller's call
 */
export function asCaller<T>({ customerId, userId }: Confined, work: () => T): T {
  const outer = scopes.getStore();
  if (typeof outer === 'object' && (outer.customerId !== customerId || outer.userId !== userId))
    throw new Error('One customer’s call inside another’s');
  return scopes.run({ customerId, userId }, work);
}

/** {@link asCaller} for a customer. */
export const asCustomer = <T>(customerId: string, work: () => T): T => asCaller({ customerId }, work);
