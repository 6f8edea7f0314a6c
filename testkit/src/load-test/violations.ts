import { booksOf, openProviders } from '@fixpoint/api/compose/providers.ts';
import { readProviderEnv } from '@fixpoint/api/env/env.ts';
import { checkDatabase, compareGateway } from '@fixpoint/api/modules/books/index.ts';
import type { Clock } from '@fixpoint/api/ports/clock.ts';
import type { Db } from '@fixpoint/api/ports/database.ts';
import { sql } from 'kysely';
import type { controlOf } from '../sandbox.ts';
import { type Buyer, isPaid, mustBeServed } from './buyer.ts';
import { bookedBalances, readLedgers } from './ledgers.ts';

/** State after a load test. */
export type LoadTestResult = {
  /** With the superuser's rights. */
  db: Db;
  clock: Clock;
  control: ReturnType<typeof controlOf>;
  /** Settings for the shop's providers. */
  settings: Record<string, string>;
  buyers: readonly Buyer[];
};

/** Checks every invariant after a load test that has settled. @returns violations; empty when there are none */
export async function findViolations(remains: LoadTestResult): Promise<string[]> {
  const { db, clock, settings } = remains;
  const differences = await checkDatabase(db, clock.now());
  for (const books of booksOf(await openProviders(readProviderEnv(settings)!, clock))) {
    differences.push(...(await compareGateway(db, books, clock.now())).found);
  }
  return [
    ...differences.map(({ name, rows }) => `${name}: ${JSON.stringify(rows.slice(0, 5))}`),
    ...(await moneyViolations(remains)),
    ...(await deliveryViolations(db)),
    ...(await buyerViolations(remains)),
    ...(await unfinishedWork(db)),
  ];
}

/** Compares the providers' ledgers with ours to the minor unit, in total and per invoice. */
async function moneyViolations({ db, control }: LoadTestResult): Promise<string[]> {
  const { balances, kept } = await readLedgers(control);
  const own = await bookedBalances(db);
  const unequal = [...new Set([...balances.keys(), ...own.keys()])].flatMap(name => {
    const [there, here] = [balances.get(name) ?? 0, own.get(name) ?? 0];
    return there === here ? [] : [`${name}: ${there} at the provider, ${here} booked`];
  });
  // Money that stays: refunds refused by the bank, and unapplied payments that became credit or whose customer is gone.
  const { rows: owed } = await sql<{ id: string; due: number; stays: number; attempts: string[] }>`
    select invoice.id, case when invoice.status = 'paid' then total - credit_used - prorated else 0 end as due,
      credited + (select coalesce(sum(refund.amount), 0)::bigint from refund join attempt on attempt.id = refund.attempt_id
        where attempt.invoice_id = invoice.id and refund.status = 'failed')
      + coalesce((select (what ->> 'amount')::bigint from open_alert
        where kind = 'payment.unapplied' and subject = invoice.id), 0) as stays,
      array(select id from attempt where attempt.invoice_id = invoice.id) as attempts
    from invoice`.execute(db);
  const wrong = owed.flatMap(({ id, due, stays, attempts }) => {
    const there = attempts.reduce((sum, attempt) => sum + (kept.get(attempt) ?? 0), 0);
    return there === due + stays ? [] : [`I3 ${id}: ${there} kept for ${due + stays}`];
  });
  return [...unequal, ...wrong];
}

/** Checks that each fulfilled order was delivered exactly once, and no other order was. */
async function deliveryViolations(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string; status: string; times: number }>`
    select shop_order.id, shop_order.status, count(subscription.id)::int as times
    from shop_order left join subscription on subscription.order_id = shop_order.id
    group by shop_order.id
    having count(subscription.id) <> case when shop_order.status = 'fulfilled' then 1 else 0 end`.execute(db);
  return rows.map(({ id, status, times }) => `${id} is ${status} and was delivered ${times} times`);
}

/** I10: each order that was reported as paid, or could be paid, is delivered; one account per email address. */
async function buyerViolations({ db, buyers }: LoadTestResult): Promise<string[]> {
  const { rows } = await sql<{ email: string; served: number; accounts: number }>`
    select email, count(*)::int as served, count(distinct shop_order.customer_id)::int as accounts
    from shop_order join subscription on subscription.order_id = shop_order.id
    where shop_order.status = 'fulfilled' and subscription.status = 'active' group by email`.execute(db);
  const got = new Map(rows.map(row => [row.email, row]));
  return [...Map.groupBy(buyers, ({ email }) => email)].flatMap(([email, orders]) => {
    const owed = orders.filter(buyer => mustBeServed(buyer) || isPaid(buyer)).length;
    const { served = 0, accounts = 0 } = got.get(email) ?? {};
    const manners = orders
      .map(one => `${one.behaviour} by ${one.method}, last status ${one.status}`)
      .join('; ');
    return served >= owed && accounts <= 1
      ? []
      : [`I10 ${email} (${manners}): ${served} of ${owed} orders served, ${accounts} accounts`];
  });
}

/** Work that nothing will finish: payments, refunds, orders, jobs, and alerts other than money that cannot be refunded. */
async function unfinishedWork(db: Db): Promise<string[]> {
  const { rows } = await sql<{ what: string }>`
    select 'payment ' || id || ' is ' || status as what from attempt
      where status in ('created', 'open', 'processing', 'failed')
    union all
    select 'refund ' || id || ' is ' || status from refund
      where status in ('created', 'pending') or status = 'failed' and not exists
        (select from open_alert where kind = 'refund.failed' and subject = refund.id)
    union all
    select 'order ' || id || ' is ' || status from shop_order where status not in ('fulfilled', 'expired', 'refunded')
    union all
    select 'job ' || name || ' is ' || state || ' ' || data::text from pgboss.job
      where state in ('created', 'active', 'retry') and name not like 'task-%' and name not like '\\_\\_pgboss%'
        and start_after <= now() + interval '1 hour'
    union all
    select 'alert ' || kind || ' ' || subject || ' ' || what::text from open_alert
      where kind not in ('refund.failed', 'payment.unapplied')
  `.execute(db);
  return rows.map(({ what }) => what);
}
