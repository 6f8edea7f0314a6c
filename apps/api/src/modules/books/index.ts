/**
 * books — owns nothing; reads everything.
 * Promises: what the rules say of the books is a query here, held against the database every night; what does not hold is
 * said together with its query.
 * Listens to nothing.
 */
export { checkDatabase, type Difference } from './check.ts';
export { compareProvider } from './compare-provider.ts';
export { booksDuty, tellDifferences } from './duty.ts';
