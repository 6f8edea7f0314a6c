import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { GatewayBooks } from '../../ports/gateway-books.ts';
import type { Provider } from '../../ports/payment-gateway.ts';
import { raiseAlert, syncAlerts } from '../alert/index.ts';
import type { Difference } from './check.ts';
import { compareGateway, comparePayments, compareSince } from './compare-gateway.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
export const WEEK_MS = 7 * DAY_MS;
/** Window of the hourly comparison: after three days a payment can no longer be paid, and a refund was sent. */
const WINDOW_MS = 4 * DAY_MS;

/** Window and interval of the look for money that is in no book. */
const PAYMENTS_WINDOW_MS = DAY_MS;
export const PAYMENTS_INTERVAL_MS = 10 * MINUTE_MS;

/** Limit of polls per run: more differences are no lost webhook events, and the next run continues. */
const MAX_POLLED = 100;

export type ReconcileDeps = {
  db: Db;
  clock: Clock;
  /** Books of each configured gateway. */
  providers: readonly GatewayBooks[];
  /** Polls of a difference before it raises an alert, because a webhook event may have been lost. */
  askAttempt(attemptId: string): Promise<void>;
  followRefund(refundId: string): Promise<void>;
  followDispute(provider: Provider, ref: string): Promise<unknown>;
};

export const after = (at: Date, ms: number): Date => new Date(at.getTime() + ms);
export const anHourAfter = (at: Date): Date => after(at, HOUR_MS);

/**
 * Compares recent payments, refunds and disputes of a gateway with ours, both ways (X9), once an hour; in between only looks
 * for money that is in no book. Polls what differs, which repairs lost webhook events, and raises an alert for each
 * difference that remains.
 * @throws NamedFault('providerUnreachable')
 */
export async function reconcile(deps: ReconcileDeps, provider: Provider): Promise<void> {
  const { db, clock } = deps;
  const books = deps.providers.find(each => each.provider === provider);
  if (!books) return;
  const now = clock.now();
  const isHourly = await isDue(db, provider, 'due_at', now);
  if (isHourly) await compareRecent(deps, books, now);
  else await comparePaid(deps, books, now);
  await db
    .updateTable('reconciliation')
    .set({ payments_due_at: after(now, PAYMENTS_INTERVAL_MS), ...(isHourly && { due_at: anHourAfter(now) }) })
    .where('provider', '=', provider)
    .execute();
  if (isHourly && (await isDue(db, provider, 'balance_due_at', now))) await compareBalance(deps, books, now);
}

async function compareRecent(deps: ReconcileDeps, books: GatewayBooks, now: Date): Promise<void> {
  const { db, clock } = deps;
  const { provider } = books;
  const since = await windowOf(db, provider, now);
  const { found: first, disputed } = await compareSince(db, books, now, since);
  // The state of a dispute may have changed without an event, and there are never many.
  for (const ref of disputed.slice(0, MAX_POLLED)) await poll(deps.followDispute(provider, ref));
  const compareAgain = async () => (await compareSince(db, books, clock.now(), since)).found;
  const found = await pollDifferences(deps, provider, first, compareAgain);
  await syncAlerts(db, now, 'provider.differs', alertsOf(provider, found), `${provider} %`);
}

/** Raises alerts only: the hourly comparison resolves them. */
async function comparePaid(deps: ReconcileDeps, books: GatewayBooks, now: Date): Promise<void> {
  const { db, clock } = deps;
  const since = after(now, -PAYMENTS_WINDOW_MS);
  const compareAgain = () => comparePayments(db, books, clock.now(), since);
  const found = await pollDifferences(deps, books.provider, await compareAgain(), compareAgain);
  for (const alert of alertsOf(books.provider, found))
    await raiseAlert(db, now, { kind: 'provider.differs', ...alert });
}

const isDue = async (
  db: Db,
  provider: Provider,
  what: 'due_at' | 'balance_due_at',
  now: Date,
): Promise<boolean> =>
  (await db
    .selectFrom('reconciliation')
    .select('provider')
    .where('provider', '=', provider)
    .where(what, '<=', now)
    .executeTakeFirst()) !== undefined;

/**
 * Compares everything including the balance once a week, and every day while it differs. Only this finds older differences
 * and movements without a reference, and asks again for fees that were not told for a week.
 */
async function compareBalance(deps: ReconcileDeps, books: GatewayBooks, now: Date): Promise<void> {
  const { db, clock } = deps;
  const { provider } = books;
  const compareAll = async () => (await compareGateway(db, books, clock.now())).found;
  const found = await pollDifferences(deps, provider, await compareAll(), compareAll);
  const alerts = found.map(({ name, rows }) => ({
    subject: `${provider} ${name}`,
    what: { rows: rows.length, first: JSON.stringify(rows[0]) },
  }));
  await syncAlerts(db, now, 'provider.balance', alerts, `${provider} %`);
  await db
    .updateTable('reconciliation')
    .set({ balance_due_at: after(now, alerts.length > 0 ? DAY_MS : WEEK_MS) })
    .where('provider', '=', provider)
    .execute();
}

/** Start of the comparison: includes open alerts, and all time since the last comparison. */
async function windowOf(db: Db, provider: Provider, now: Date): Promise<Date> {
  const next = await db
    .selectFrom('reconciliation')
    .select('due_at')
    .where('provider', '=', provider)
    .executeTakeFirst();
  const { oldest } = await db
    .selectFrom('open_alert')
    .select(eb => eb.fn.min('since').as('oldest'))
    .where('kind', '=', 'provider.differs')
    .where('subject', 'like', `${provider} %`)
    .executeTakeFirstOrThrow();
  const compared = next ? next.due_at.getTime() - HOUR_MS : now.getTime();
  return new Date(Math.min(compared, (oldest ?? now).getTime()) - WINDOW_MS);
}

/** Polls what differs. @returns what differs after that */
async function pollDifferences(
  { askAttempt, followRefund, followDispute }: ReconcileDeps,
  provider: Provider,
  found: Difference[],
  compareAgain: () => Promise<Difference[]>,
): Promise<Difference[]> {
  const rows = found.flatMap(difference => difference.rows).slice(0, MAX_POLLED);
  for (const { attempt, refund, dispute } of rows) {
    if (typeof attempt === 'string') await poll(askAttempt(attempt));
    if (typeof refund === 'string') await poll(followRefund(refund));
    if (typeof dispute === 'string') await poll(followDispute(provider, dispute));
  }
  return rows.some(({ attempt, refund, dispute }) => attempt ?? refund ?? dispute) ? compareAgain() : found;
}

/** A poll that fails leaves its difference, which raises an alert and hides no other. */
const poll = (asked: Promise<unknown>): Promise<unknown> => asked.catch(() => undefined);

const alertsOf = (provider: Provider, found: readonly Difference[]) =>
  found.flatMap(({ rows }) =>
    rows.map(({ ref, why, currency, ...row }) => ({
      subject: `${provider} ${ref ?? row.attempt ?? row.refund}`,
      what: { why: String(why), currency: String(currency), amount: Number(row.received ?? row.amount) },
    })),
  );
