import { setTimeout as delay } from 'node:timers/promises';
import { createTurns } from '@fixpoint/api/adapters/stripe/pace.ts';
import pg from 'pg';

/*
 * Baseline for renewals: the same rows by hand-written SQL, in copies of the shop's tables on the same database, and one
 * charge of each card by plain HTTP, with the shop's concurrency and rate. No jobs, locks, webhook events, status queries,
 * documents or emails.
 */
const TABLES = [
  ...['invoice', 'invoice_line', 'attempt', 'receipt', 'ledger_entry', 'number_series'],
  ...['subscription', 'subscription_period', 'subscription_history', 'pending_change'],
];
const NUMBERED = `insert into bench.number_series values ('bare', 0)`;

const OPEN = `insert into bench.invoice (id, customer_id, purpose, subscription_id, period_start, period_end, status, reference,
    currency, net, vat, total, buyer, seller, language, created_at, issued_at)
  select $1, customer_id, 'renewal', id, period_end, period_end + make_interval(months => cycle_count), 'open', $1, currency,
    renewal - renewal * 7 / 107, renewal * 7 / 107, renewal, '{}', '{}', 'en', now(), now()
  from subscription where id = $2 returning total::int, currency`;
const LINE = `insert into bench.invoice_line (invoice_id, customer_id, position, text, net, vat, vat_rate_bp, total)
  select id, customer_id, 1, '{}', net, vat, 700, total from bench.invoice where id = $1`;
const ATTEMPT = `insert into bench.attempt (id, invoice_id, customer_id, attempt_no, method, status, tries, currency, amount,
    unattended, created_at, updated_at)
  select $1, id, customer_id, 1, 'card', 'created', 1, currency, total, true, now(), now() from bench.invoice where id = $1`;
const PAY = `with numbered as (update bench.number_series set last = last + 1 where series = 'bare' returning last)
  update bench.invoice set status = 'paid', paid_at = now(), documents_due_at = now(), series = 'bare', serial = last, number = 'bare-' || last
  from numbered where id = $1`;
const SUCCEED = `update bench.attempt set status = 'succeeded', provider_ref = $2, received = amount, fee = $3, updated_at = now()
  where id = $1`;
const RECEIPT = `insert into bench.receipt (attempt_id, customer_id, provider_ref, currency, amount, received_at)
  select id, customer_id, provider_ref, currency, amount, now() from bench.attempt where id = $1`;
const BOOK = `insert into bench.ledger_entry (txn, position, account, provider, currency, amount, created_at)
  select txn || id, position, account, provider, currency, amount, now() from bench.invoice, lateral (values
    ('paid:', 0, 'provider', 'stripe', total), ('paid:', 1, 'revenue', null, -net), ('paid:', 2, 'vat', null, -vat),
    ('fee:', 0, 'fees', 'stripe', $2::bigint), ('fee:', 1, 'provider', 'stripe', -$2::bigint))
    entry (txn, position, account, provider, amount)
  where id = $1`;
const GRANT = `insert into bench.subscription_period (subscription_id, customer_id, starts_at, ends_at, invoice_id, worth)
  select subscription_id, customer_id, period_start, period_end, id, total from bench.invoice where id = $1`;
const RENEW = `update bench.subscription sub set version = sub.version + 1, period_start = invoice.period_start,
    period_end = invoice.period_end, due_at = invoice.period_end
  from bench.invoice where invoice.id = $1 and sub.id = invoice.subscription_id`;
const RECORD = `insert into bench.subscription_history (subscription_id, customer_id, version, at, command, from_status, to_status)
  select id, customer_id, version, now(), 'renew', 'active', 'active' from bench.subscription where id = $1`;
/** The host stops a subscription at the end of its paid period, so it must receive the new end. */
const HOST = `insert into bench.pending_change (host_id, subscription_id, customer_id)
  select host_id, subscription_id, customer_id from assignment where subscription_id = $1`;

type Due = { subscription_id: string; gateway_customer: string; card: string };
type Limits = { atOnce: number; calls: number; seconds: number };

/** @returns the number of renewals written and charged, and the time in ms */
export async function bareRenewals(
  databaseUrl: string,
  stripe: { url: string; secret: string },
  { atOnce, calls, seconds }: Limits,
): Promise<{ renewals: number; ms: number }> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: atOnce });
  try {
    for (const table of TABLES)
      await pool.query(
        `create table bench.${table} (like public.${table} including all excluding generated)`,
      );
    await pool.query(NUMBERED);
    await pool.query(
      'insert into bench.subscription select sub.* from subscription sub join bench.due on due.subscription_id = sub.id',
    );
    const { rows } = await pool.query<Due>('select subscription_id, gateway_customer, card from bench.due');
    const begun = performance.now();
    let next = 0;
    const turns = createTurns(calls);
    const one = async () => {
      while (next < rows.length && performance.now() - begun < seconds * 1000) {
        const due = rows[next++]!;
        const wait = turns('charge', performance.now());
        if (wait > 0) await delay(wait);
        await renew(pool, stripe, due);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, one));
    return { renewals: next, ms: performance.now() - begun };
  } finally {
    await pool.end();
  }
}

async function renew(pool: pg.Pool, stripe: { url: string; secret: string }, due: Due): Promise<void> {
  const id = `bare-${due.subscription_id}`;
  const { rows } = await inTransaction(pool, async query => {
    const invoice = await query('open', OPEN, [id, due.subscription_id]);
    await query('line', LINE, [id]);
    await query('attempt', ATTEMPT, [id]);
    return invoice;
  });
  const { paymentId, fee } = await charge(stripe, due, {
    id,
    ...(rows[0] as { total: number; currency: string }),
  });
  await inTransaction(pool, async query => {
    await query('pay', PAY, [id]);
    await query('succeed', SUCCEED, [id, paymentId, fee]);
    await query('receipt', RECEIPT, [id]);
    await query('book', BOOK, [id, fee]);
    await query('grant', GRANT, [id]);
    await query('renew', RENEW, [id]);
    await query('record', RECORD, [due.subscription_id]);
    await query('host', HOST, [due.subscription_id]);
  });
}

type Query = (name: string, text: string, values: unknown[]) => Promise<pg.QueryResult>;

async function inTransaction<T>(pool: pg.Pool, work: (query: Query) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work((name, text, values) => client.query({ name, text, values }));
    await client.query('commit');
    return result;
  } finally {
    client.release();
  }
}

type Intent = { id: string; status: string; latest_charge: { balance_transaction: { fee: number } } };

async function charge(
  { url, secret }: { url: string; secret: string },
  { gateway_customer: customer, card }: Due,
  { id, total, currency }: { id: string; total: number; currency: string },
): Promise<{ paymentId: string; fee: number }> {
  const answer = await fetch(`${url}/v1/payment_intents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'idempotency-key': id },
    body: new URLSearchParams({
      amount: String(total),
      currency: currency.toLowerCase(),
      customer,
      payment_method: card,
      off_session: 'true',
      confirm: 'true',
      'allowed_payment_method_types[0]': 'card',
      capture_method: 'automatic',
      'expand[0]': 'latest_charge.balance_transaction',
    }),
  });
  const { id: paymentId, status, latest_charge: made } = (await answer.json()) as Intent;
  if (status !== 'succeeded') throw new Error(`The sandbox answered ${answer.status} ${status}`);
  return { paymentId, fee: made.balance_transaction.fee };
}
