/**
 * books — owns when each provider is compared with next; reads everything.
 * Promises: what the rules say of the books is a query here, held against the database every night; what does not hold is
 * said together with its query. Each provider is compared with every hour, both ways.
 * Listens to nothing.
 */
export { alertDifferences } from './alert-differences.ts';
export { checkDatabase, type Difference } from './check.ts';
export { type Comparison, compareProvider } from './compare-provider.ts';
export { reconcile } from './reconcile.ts';
export { booksTasks } from './tasks/index.ts';
