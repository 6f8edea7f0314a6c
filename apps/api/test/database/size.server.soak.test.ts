import { createDatabase, type TestDatabase } from '@fixpoint/testkit/database.ts';
import { fillShop } from '@fixpoint/testkit/size/fill.ts';
import { faultsOf, indexesOf, largeTables, mostRows, timeOf } from '@fixpoint/testkit/size/query-rules.ts';
import { sizeOf } from '@fixpoint/testkit/size/size.ts';
import { allStatements } from '@fixpoint/testkit/size/statements.ts';
import type { Query } from '@fixpoint/testkit/size/watch-queries.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import { checkDatabase, type Difference } from '../../src/modules/books/index.ts';

/** Enough for most plans of the full size, which `npm run bench -- plans` measures. */
const CUSTOMERS = 20_000;
/** Generic plans do not depend on parameters: the harder half, and the same in every run. */
const PLANNED = { plan_cache_mode: 'force_generic_plan' };
/** Ten times the limit of an idle machine, because a test shares its machine. */
const MOST_MS = 100;

let database: TestDatabase;
let large: Set<string>;
let differences: Difference[];
let queries: Query[];
beforeAll(async () => {
  database = await createDatabase();
  const now = new Date();
  await fillShop(database.urls.owner, sizeOf(CUSTOMERS), now);
  large = await largeTables(database.url);
  const { db, close } = openDatabase(database.urls.app, 1);
  differences = await checkDatabase(db, now);
  await close();
  // Prepared queries are already compiled when another file of this worker has covered the shop before.
  vi.resetModules();
  const { watchedCoverage } = await import('./size/watched-coverage.ts');
  queries = await watchedCoverage(database, PLANNED, 1);
}, 600_000);
afterAll(() => database?.drop());

const nameOf = ({ places, text }: Query) => [...places].join(', ') || text;

test('the books of the filled shop balance', () => {
  expect(differences).toEqual([]);
  expect(large.size).toBeGreaterThan(15);
});

/**
 * Functions whose statements belong to no call, scheduled task or job, or run only after a fault that the coverage lacks.
 * Listed by name, so that a new function in such a file is reported.
 */
const EXEMPT: Record<string, readonly string[]> = {
  // The operator's commands.
  'compose/staff/vat-notes.ts': ['documentsAtAnotherRate'],
  'modules/catalog/import-catalogue.ts': [
    'importCatalogue',
    'writePlaces',
    'writePlans',
    'addProducts',
    'refuseTakenIds',
  ],
  'modules/catalog/vat-rates.ts': ['writeVatRates'],
  'modules/catalog/view.ts': ['soldCurrencies'],
  'modules/payment/dispute/lost-coins.ts': ['planLostCoins'],
  'modules/payment/refund/refundable.ts': ['requireBooked'],
  'modules/email/emails/refunded-out-of-band.ts': ['refundedOutOfBand'],
  // Once in years, when the law changes a rate of VAT; an upgrade from 0.2.
  'modules/subscription/vat-notice.ts': ['tellOne'],
  'modules/billing/seller-country.ts': ['sellerCountry'],
  'modules/account/users.ts': ['users'],
  'modules/subscription/price-notice.ts': ['countAffected', 'announcePrice', 'notifyOne'],
  'modules/provisioning/hosts.ts': [
    'addHost',
    'refuseUnknownPlace',
    'setHost',
    'lockHost',
    'drainHost',
    'occupancyOf',
    'runsOn',
    'replaceHost',
    'shiftHostTimes',
  ],
  'adapters/master-key/change.ts': ['turnTo'],
  'adapters/postgres-idempotency-records.ts': ['reEncryptIdempotencyRecords'],
  'modules/account/totp.ts': ['reEncryptTotpSecrets'],
  'modules/provisioning/re-encrypt-hosts.ts': [
    'reEncryptHostAuthority',
    'reEncryptIdentities',
    'reEncryptServers',
  ],
  'modules/provisioning/host-view.ts': ['hostList', 'hostDetails', 'customersOnHost'],
  'modules/provisioning/pools.ts': [
    'addPool',
    'setPrefix6',
    'setTcpPort',
    'updateHost',
    'refuseTaken6',
    'refuseBoundTwice',
    'removePool',
  ],
  'modules/audit/record.ts': ['recordChanges', 'recordRead'],
  'modules/audit/read.ts': ['listEntries', 'listReads', 'verifyChain'],
  'modules/block/block-list.ts': ['createBlockList', 'removeBlock'],
  'modules/staff/previews.ts': ['storePreview', 'lockPreview', 'storeResult'],
  'modules/account/close-account.ts': ['planClosing', 'closeAccount'],
  'modules/account/change-email.ts': ['applyEmailChange'],
  'modules/email/emails/email-announced.ts': ['emailAnnounced'],
  'modules/account/lift-waits.ts': ['activeAccount'],
  'modules/account/staff-email-change.ts': ['planEmailChange', 'changeEmailByStaff'],
  'modules/subscription/suspend.ts': ['suspend', 'liftSuspension', 'openSuspensions'],
  'modules/subscription/transition.ts': ['endDisputeCause'],
  'compose/staff/subscription.ts': ['subscriptionOf'],
  'compose/staff/days.ts': ['subscriptionsOf'],
  'modules/subscription/store.ts': ['lockAll'],
  'modules/subscription/give-days.ts': ['givenLately', 'renewalsToVoid', 'extendAll'],
  'modules/email/emails/free-days.ts': ['freeDays'],
  'modules/books/export-month.ts': [
    'invoicesOf',
    'replacementsOf',
    'creditNotesOf',
    'paymentsOf',
    'refundsOf',
    'disputesOf',
    'feesOf',
    'documentsOf',
    'replacementDocumentsOf',
  ],
  'modules/billing/numbers.ts': ['lastNumber', 'nextNumbers', 'skipNumbers'],
  'modules/backup/restored.ts': ['recordRestore', 'finishRestore'],
  'modules/payment/refund/dashboard-refund.ts': ['paymentRefunded', 'planOf'],
  'modules/payment/webhook-event/unrelated-payments.ts': ['markUnrelated'],
  'modules/billing/goodwill.ts': [
    'planGoodwill',
    'paidIn',
    'soldIn',
    'requireBelowCeiling',
    'giveGoodwill',
    'planTakeBack',
  ],
  'modules/provisioning/retire-host.ts': ['retire'],
  'modules/provisioning/migrate-host.ts': [
    'migrateHost',
    'poolsToMove',
    'leave',
    'arrive',
    'rebind',
    'refuseOwnAddresses',
    'isUnderWay',
    'confirmRouted',
  ],
  'modules/provisioning/no-logs-proofs.ts': ['saveNoLogsProof'],
  'modules/alert/retry.ts': ['retrySubject'],
  'modules/payment/dispute/dispute-evidence.ts': ['disputeEvidence', 'openDisputes'],
  // Compared with a provider from the beginning: the command, and once a week the hourly job, which otherwise compares only
  // the provider's own entries with ours.
  'modules/books/reconcile.ts': ['compareBalance'],
  'modules/books/compare-gateway.ts': ['compareGateway'],
  'modules/books/own-statement.ts': [
    'attemptsBeyond',
    'ownSums',
    'newerMovements',
    'movingDisputes',
    'disputedSince',
  ],
  // Payouts, bills and exchange, which the sandbox has none of there; the command that lists them; a month's export.
  'modules/books/movements.ts': ['bookMovements', 'keptOf', 'oursOf', 'alertDestinations'],
  'modules/books/payouts.ts': ['listPayouts', 'tickOffPayout'],
  'modules/books/revenue.ts': ['revenueOf'],
  // Advancing the shop clock.
  'adapters/shop-clock.ts': ['moveShopClock'],
  'compose/advance-clock.ts': ['untilIdle', 'dueJobs'],
  'compose/next-due.ts': ['nextDue'],
  // One row per node and backfill; usually no backfill is declared.
  'database/nodes.ts': ['startHeartbeat'],
  'jobs/backfill.ts': ['othersRun', 'restart', 'moveBatch'],
  // Ends a transaction that was tried.
  'compose/staff/move-host.ts': ['tried'],
  'jobs/tasks/alert-no-api.ts': ['alertNoApiTask'],
  // One row per backup, of which a few weeks' are kept.
  'modules/backup/store.ts': ['recordBackup', 'markCopied', 'forgetBackups', 'backups'],
  // pg-boss's own table, whose plans are not checked.
  'adapters/jobs/failing.ts': ['failingQueues', 'emailBacklog'],
  'adapters/jobs/waiting.ts': ['waitingJobs'],
  'adapters/jobs/at-commit.ts': ['write'],
  // The sandbox's page.
  'modules/payment/shop-records.ts': ['shopRecords'],
  // Everything of every host at once, for the operator's monitoring.
  'modules/provisioning/drift.ts': ['entitlementDrift', 'servedNowhere'],
  'modules/provisioning/tunnel-counts.ts': ['tunnelCounts'],
  // A first start.
  'modules/provisioning/host-authority.ts': ['openHostAuthority'],
  // Concurrent hits, which run the same statements as single ones.
  'adapters/postgres-limits.ts': ['countTogether'],
  // One row by its key, in rare states: money on its way when an order expires; a provider with a fault, a refused refund or
  // an unknown gateway customer; a password under an earlier pepper; a host's first renewed certificate; a refund that waits
  // for its payer, or fails after an account has ended; coins that are gone again; a dispute lost before the delivery, won after it was lost, or with a former
  // name; an authenticator app that was added under an address that is undone.
  'modules/checkout/expire-order.ts': ['waitLonger'],
  'modules/payment/attempt/poll-attempt.ts': ['isOnItsWay'],
  'modules/payment/dispute/follow-dispute.ts': ['renameAgain'],
  'modules/payment/refund/follow-refund.ts': ['markUnsent', 'factsOf', 'isEndedCredit'],
  'modules/payment/attempt/follow-payment.ts': ['followGone'],
  'modules/alert/alerts.ts': ['renameSubject'],
  'modules/payment/attempt/open-payment.ts': ['customerOf'],
  'modules/billing/invoices.ts': ['readAmountDue'],
  'modules/payment/gateway-customers.ts': ['isForgotten', 'introduceGatewayCustomer'],
  'modules/account/log-in.ts': ['renewHash'],
  'modules/account/undo-email-change.ts': ['endMethodsSince'],
  'modules/provisioning/host-calls.ts': ['endPrevious'],
  'modules/payment/dispute/lost-dispute.ts': ['creditEarlierLosses', 'notesOf'],
  'modules/payment/refund/refund-invoice.ts': ['refuseEnded', 'refundByHand'],
  'modules/payment/refund/retry-refund.ts': ['refundDue', 'disputedPayment'],
  // The receipts of a payment that arrives in parts; a start without settings of a provider.
  'modules/payment/attempt/store.ts': ['nextTry', 'receiptsOf'],
  'modules/payment/store.ts': ['hasPayments'],
};
const isExempt = (place: string) => {
  const [, file = '', name = ''] = /^(\S+):\d+ (\S+)$/.exec(place) ?? [];
  return EXEMPT[file]?.includes(name) ?? false;
};

test('every statement of a call, a scheduled task or a job was recorded', async () => {
  const lineOf = (place: string) => place.split(' ')[0]!;
  const seen = new Set(queries.flatMap(({ places }) => [...places].map(lineOf)));
  const missing = (await allStatements()).filter(place => !seen.has(lineOf(place)));
  expect(missing.filter(place => !isExempt(place))).toEqual([]);
});

test('FM10 no statement reads all of a large table, or more than a few batches', () => {
  const found = queries.flatMap(query => faultsOf(query, large).map(fault => `${nameOf(query)}: ${fault}`));
  expect(found).toEqual([]);
});

// Thousands of rows are due at once after a bad night; only the full size would show that in time.
test.each([
  [
    'a comparison with a provider looks at no payer',
    /^modules\/books\/own-statement\.ts.* ownStatement/,
    /payer/,
  ],
  ['the list of matters reads no kind to its end', /^modules\/alert\/.* listAlerts/, /^\(alert\)$/],
])('FM10 %s', (_, place, never) => {
  const found = queries.filter(({ places }) => [...places].some(each => place.test(each)));
  expect(found.length).toBeGreaterThan(0);
  expect(found.flatMap(indexesOf).filter(way => never.test(way))).toEqual([]);
});

/** A search lists the first 50, and finds each one's row. */
const MOST_FOUND = 200;

test('a search of staff reads no more rows for a beginning that everybody shares, or that nobody has', () => {
  const found = queries.filter(({ places }) =>
    [...places].some(place => place.startsWith('modules/staff/find-customer.ts')),
  );
  expect(found.length).toBeGreaterThan(5);
  expect(mostRows(found)).toBeLessThanOrEqual(MOST_FOUND);
});

test('FM10 no statement takes long', () => {
  expect(queries.filter(query => timeOf(query) > MOST_MS).map(nameOf)).toEqual([]);
});
