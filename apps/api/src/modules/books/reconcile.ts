import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Provider } from '../../ports/payment-gateway.ts';
import type { ProviderBooks } from '../../ports/provider-books.ts';
import { syncAlerts } from '../alert/index.ts';
import type { Difference } from './check.ts';
import { compareProvider, compareSince } from './compare-provider.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
export const WEEK_MS = 7 * DAY_MS;
/** Window of the hourly comparison: after three days a payment can no longer be paid, and a refund was sent. */
const WINDOW_MS = 4 * DAY_MS;

/** Limit of polls per run: more differences are no lost webhook events, and the next run continues. */
const MAX_POLLED = 100;

export type ReconcileDeps = {
  db: Db;
  clock: Clock;
  /** Books of each configured provider. */
  providers: readonly ProviderBooks[];
  /** Polls of a difference before it raises an alert, because a webhook event may have been lost. */
  askAttempt(attemptId: string): Promise<void>;
  followRefund(refundId: string): Promise<void>;
  followDispute(provider: Provider, ref: string): Promise<unknown>;
};

export const after = (at: Date, ms: number): Date => new Date(at.getTime() + ms);
export const anHourAfter = (at: Date): Date => after(at, HOUR_MS);

/**
 * Compares recent payments, refunds and disputes of a provider with ours, both ways (X9). Polls what differs, which repairs
 * lost webhook events, and raises an alert for each difference that remains.
 * @throws NamedFault('providerUnreachable')
 */
export async function reconcile(deps: ReconcileDeps, provider: Provider): Promise<void> {
  const { db, clock } = deps;
  const books = deps.providers.find(each => each.provider === provider);
  if (!books) return;
  const now = clock.now();
  const since = await windowOf(db, provider, now);
  const first = await compareSince(db, books, now, since);
  let { found } = first;
  // The state of a dispute may have changed without an event, and there are never many.
  for (const ref of first.disputed.slice(0, MAX_POLLED)) await deps.followDispute(provider, ref);
  if (found.length > 0) {
    await pollDifferences(deps, provider, found);
    found = (await compareSince(db, books, clock.now(), since)).found;
  }
  await syncAlerts(db, now, 'provider.differs', alertsOf(provider, found), `${provider} %`);
  await db
    .updateTable('reconciliation')
    .set({ due_at: anHourAfter(now) })
    .where('provider', '=', provider)
    .execute();
  await compareBalance(deps, books, now);
}

/**
 * Compares everything including the balance once a week, and every day while it differs. Only this finds older differences
 * and movements without a reference.
 */
async function compareBalance({ db }: ReconcileDeps, books: ProviderBooks, now: Date): Promise<void> {
  const { provider } = books;
  const due = await db
    .selectFrom('reconciliation')
    .select('provider')
    .where('provider', '=', provider)
    .where('balance_due_at', '<=', now)
    .executeTakeFirst();
  if (!due) return;
  const { found } = await compareProvider(db, books, now);
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
    .selectFrom('alert')
    .select(eb => eb.fn.min('since').as('oldest'))
    .where('kind', '=', 'provider.differs')
    .where('subject', 'like', `${provider} %`)
    .executeTakeFirstOrThrow();
  const compared = next ? next.due_at.getTime() - HOUR_MS : now.getTime();
  return new Date(Math.min(compared, (oldest ?? now).getTime()) - WINDOW_MS);
}

async function pollDifferences(
  { askAttempt, followRefund, followDispute }: ReconcileDeps,
  provider: Provider,
  found: readonly Difference[],
): Promise<void> {
  for (const { attempt, refund, dispute } of found.flatMap(({ rows }) => rows).slice(0, MAX_POLLED)) {
    if (typeof attempt === 'string') await askAttempt(attempt);
    if (typeof refund === 'string') await followRefund(refund);
    if (typeof dispute === 'string') await followDispute(provider, dispute);
  }
}

const alertsOf = (provider: Provider, found: readonly Difference[]) =>
  found.flatMap(({ rows }) =>
    rows.map(({ ref, why, currency, ...row }) => ({
      subject: `${provider} ${ref ?? row.attempt ?? row.refund}`,
      what: { why: String(why), currency: String(currency), amount: Number(row.received ?? row.amount) },
    })),
  );
