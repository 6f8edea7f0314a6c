/**
 * books — owns the schedule of provider comparisons; reads everything.
 * Promises: every rule of the books is a query here, checked every night; a violation is reported with its query. Each
 * provider is compared every hour, both ways.
 * Listens to nothing.
 */
export { alertDifferences } from './alert-differences.ts';
export { checkDatabase, type Difference } from './check.ts';
export { type Comparison, compareProvider } from './compare-provider.ts';
export { reconcile } from './reconcile.ts';
export { booksTasks } from './tasks/index.ts';
