/**
 * books — owns the schedule of comparisons with gateways, and their movements that belong to no sale; reads everything.
 * Promises: every rule of the books is a query here, checked every night; a violation is reported with its query. Each
 * gateway is compared every hour, both ways; money that is in no book is found within minutes.
 * Listens to nothing.
 */
export { alertDifferences } from './alert-differences.ts';
export { checkDatabase, type Difference } from './check.ts';
export { compareGateway } from './compare-gateway.ts';
export { exportMonth } from './export-month.ts';
export { listPayouts, tickOffPayout } from './payouts.ts';
export { reconcile } from './reconcile.ts';
export { revenueOf } from './revenue.ts';
export { booksTasks } from './tasks/index.ts';
