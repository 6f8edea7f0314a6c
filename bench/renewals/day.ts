import type pg from 'pg';

/**
 * Makes the renewals of all chosen subscriptions due: their paid periods end at the same moment, a day from now.
 */
export async function beginDay(owner: pg.Client): Promise<void> {
  await owner.query('begin');
  await owner.query(
    `alter table bench.due add ends_at timestamptz not null default date_trunc('second', now()) + interval '1 day'`,
  );
  await owner.query(`update subscription_period period
    set starts_at = ends.at - make_interval(months => sub.cycle_count), ends_at = ends.at
    from bench.due due join subscription sub on sub.id = due.subscription_id, lateral (select due.ends_at as at) ends
    where period.subscription_id = sub.id and period.starts_at = sub.period_start`);
  await owner.query(`update subscription sub
    set period_start = ends_at - make_interval(months => cycle_count), period_end = ends_at, due_at = ends_at - interval '1 day',
      started_at = ends_at - make_interval(months => cycle_count),
      anchor_at = ends_at - make_interval(months => cycle_count)
    from bench.due where sub.id = subscription_id`);
  await owner.query('commit');
  await owner.query('vacuum analyze bench.due, subscription, subscription_period');
}

/** Number of paid invoices: each takes the next number of its year. */
export async function paid(owner: pg.Client): Promise<number> {
  const { rows } = await owner.query('select sum(last)::int as paid from number_series');
  return rows[0].paid;
}

/** Jobs of the charges themselves; those of documents and emails come later. */
const MONEY = ['renewSubscription', 'chargeRenewal', 'providerEvent', 'askAttempt'];

/** Whether only documents and emails are left to do. */
export async function isSettled(owner: pg.Client): Promise<boolean> {
  const { rowCount } = await owner.query(
    `select from pgboss.job where state in ('created', 'active', 'retry') and name = any($1)
     union all select from subscription where due_at <= now() limit 1`,
    [MONEY],
  );
  return rowCount === 0;
}

/** Number of rendered documents. */
export async function rendered(owner: pg.Client): Promise<number> {
  const { rows } = await owner.query('select count(*)::int as rendered from document');
  return rows[0].rendered;
}
