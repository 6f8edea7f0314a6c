import { createStripeBooks } from '@fixpoint/api/adapters/stripe/books.ts';
import { openStripe } from '@fixpoint/api/adapters/stripe/client.ts';
import { checkDatabase, compareProvider } from '@fixpoint/api/modules/books/index.ts';
import type { Clock } from '@fixpoint/api/ports/clock.ts';
import type { Db } from '@fixpoint/api/ports/database.ts';
import type { Ledger } from '@fixpoint/sandbox/control/ledger.ts';
import { sql } from 'kysely';
import { type Buyer, wantsGoods } from './buyer.ts';

/** What stays behind after a storm, to be looked at. */
export type Remains = {
  /** As the superuser. */
  db: Db;
  clock: Clock;
  sandbox: { url: string; secretKey: string; webhookSecret: string; ledger(): Promise<Ledger> };
  buyers: readonly Buyer[];
};

/** Everything that must not be so after a storm, once all has settled; nothing when all is well. */
export async function verdict(remains: Remains): Promise<string[]> {
  const { db, clock, sandbox } = remains;
  const stripe = openStripe({
    secret: sandbox.secretKey,
    webhookSecrets: [sandbox.webhookSecret],
    host: '127.0.0.1',
    port: Number(new URL(sandbox.url).port),
    protocol: 'http',
    clock,
  });
  const differences = [
    ...(await checkDatabase(db, clock.now())),
    ...(await compareProvider(db, createStripeBooks(stripe), clock.now())).found,
  ];
  return [
    ...differences.map(({ name, rows }) => `${name}: ${JSON.stringify(rows.slice(0, 5))}`),
    ...(await moneyLost(remains)),
    ...(await buyersWronged(remains)),
    ...(await leftOpen(db)),
  ];
}

/** The provider's own ledger, which the shop's adapter has no part in, against ours to the minor unit. */
async function moneyLost({ db, sandbox }: Remains): Promise<string[]> {
  const { balances, charges } = await sandbox.ledger();
  const { rows: booked } = await sql<{ currency: string; sum: number }>`
    select lower(currency) as currency, sum(amount)::bigint as sum from ledger_entry where account = 'provider'
    group by currency`.execute(db);
  const own = new Map(booked.map(({ currency, sum }) => [currency, sum]));
  const unequal = Object.entries(balances).flatMap(([currency, { net }]) =>
    net === (own.get(currency) ?? 0)
      ? []
      : [`${currency}: ${net} at the provider, ${own.get(currency)} booked`],
  );
  const kept = new Map<string, number>();
  for (const { metadata, amount, refunded } of charges) {
    const invoice = metadata.invoice_id ?? 'nobody';
    kept.set(invoice, (kept.get(invoice) ?? 0) + amount - refunded);
  }
  const { rows: owed } = await sql<{ id: string; due: number; failed: number }>`
    select invoice.id, case when invoice.status = 'paid' then total - credit_used - prepaid else 0 end as due,
      (select coalesce(sum(refund.amount), 0)::bigint from refund join attempt on attempt.id = refund.attempt_id
        where attempt.invoice_id = invoice.id and refund.status = 'failed') as failed
    from invoice`.execute(db);
  const wrong = owed.flatMap(({ id, due, failed }) =>
    (kept.get(id) ?? 0) === due + failed ? [] : [`I3 ${id}: ${kept.get(id) ?? 0} kept for ${due + failed}`],
  );
  return [...unequal, ...wrong];
}

/** I10: what a buyer was told is so, and who wanted something and could pay has it; one account for an address. */
async function buyersWronged({ db, buyers }: Remains): Promise<string[]> {
  const { rows } = await sql<{ email: string; served: number; accounts: number }>`
    select email, count(*)::int as served, count(distinct shop_order.customer_id)::int as accounts
    from shop_order join subscription on subscription.order_id = shop_order.id
    where shop_order.status = 'fulfilled' and subscription.status = 'active' group by email`.execute(db);
  const got = new Map(rows.map(row => [row.email, row]));
  return [...Map.groupBy(buyers, ({ email }) => email)].flatMap(([email, orders]) => {
    const owed = orders.filter(
      buyer => wantsGoods(buyer) || buyer.told === 'paid' || buyer.told === 'fulfilled',
    ).length;
    const { served = 0, accounts = 0 } = got.get(email) ?? {};
    const manners = orders.map(({ manner, told }) => `${manner}, told ${told}`).join('; ');
    return served >= owed && accounts <= 1
      ? []
      : [`I10 ${email} (${manners}): ${served} of ${owed} orders served, ${accounts} accounts`];
  });
}

/** What nobody works on any more: payments, refunds, jobs, and matters other than refunds that the bank refused. */
async function leftOpen(db: Db): Promise<string[]> {
  const { rows } = await sql<{ what: string }>`
    select 'payment ' || id || ' is ' || status as what from attempt
      where status in ('created', 'open', 'processing', 'failed')
    union all
    select 'refund ' || id || ' is ' || status from refund
      where status in ('created', 'pending') or status = 'failed' and not exists
        (select from attention where kind = 'refund.failed' and subject = refund.id)
    union all
    select 'order ' || id || ' is ' || status from shop_order where status not in ('fulfilled', 'expired', 'refunded')
    union all
    select 'job ' || name || ' is ' || state || ' ' || data::text from pgboss.job
      where state in ('created', 'active', 'retry') and name not like 'duty-%' and name not like '\\_\\_pgboss%'
        and start_after <= now() + interval '1 hour'
    union all
    select 'attention ' || kind || ' ' || subject || ' ' || what::text from attention where kind <> 'refund.failed'
  `.execute(db);
  return rows.map(({ what }) => what);
}
