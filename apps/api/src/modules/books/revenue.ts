import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

/**
 * Revenue of a day that is over, in hundredths of a currency, without VAT. `booked`: what the ledger has as revenue of that
 * day; `earned`: what was served of paid periods; `unearned`: what is still to be served at the end of the day. Always
 * `booked = earned + change of unearned`.
 */
export type RevenueDay = {
  day: string;
  currency: string;
  booked: number;
  earned: number;
  unearned: number;
};

/**
 * Earned and unearned revenue of the days of a month in Bangkok, by currency. A period is earned evenly from its beginning to
 * its end, by what its days are worth: at the price of an upgrade from that on. Free days after it earn nothing. What a credit note returns for the days that
 * a replacement or withdrawal cuts off is unearned until then.
 * @param month `2026-11`
 */
export async function revenueOf(db: Db, now: Date, month: string): Promise<RevenueDay[]> {
  const { rows } = await sql<RevenueDay>`
    with boundary as (
      select day, (day + 1)::timestamp at time zone 'Asia/Bangkok' as at
      from (select generate_series(first - 1, first + interval '1 month' - interval '1 day', '1 day')::date as day
        from (select ${`${month}-01`}::date as first) month) days
      where (day + 1)::timestamp at time zone 'Asia/Bangkok' <= ${now}
    ), note as (
      select invoice_id, issued_at, net from credit_note
    ), unserved as (
      select boundary.day, invoice.currency, round(cut.net + greatest(0, share.net - returned.net - cut.net)
        * extract(epoch from least(period.paid_until, period.ends_at) - greatest(boundary.at, period.starts_at))
        / extract(epoch from least(period.paid_until, period.ends_at) - period.starts_at)) as amount
      from boundary
        join subscription_period period on least(period.paid_until, period.ends_at) > boundary.at
        join invoice on invoice.id = period.invoice_id and invoice.paid_at < boundary.at and invoice.total > 0
        cross join lateral (select round(invoice.net::numeric / invoice.total
          * case when period.upgraded_at > boundary.at then invoice.total else period.worth end) as net) share
        cross join lateral (select coalesce(sum(net), 0) as net from note
          where invoice_id = invoice.id and issued_at < boundary.at) returned
        cross join lateral (select coalesce(sum(net), 0) as net from note
          where invoice_id = invoice.id and issued_at >= boundary.at
            and issued_at between period.ends_at - interval '1 minute' and period.ends_at + interval '1 minute') cut
      union all
      -- Paid, and its period has not begun.
      select boundary.day, invoice.currency, greatest(0, invoice.net - returned.net)
      from boundary
        join invoice on invoice.paid_at < boundary.at and invoice.purpose <> 'upgrade'
        cross join lateral (select coalesce(sum(net), 0) as net from note
          where invoice_id = invoice.id and issued_at < boundary.at) returned
      where not exists (select from subscription_period period where period.invoice_id = invoice.id)
    ), known as (
      select distinct currency from ledger_entry where account = 'revenue'
    ), by_day as (
      select boundary.day, known.currency,
        coalesce((select sum(amount) from unserved
          where unserved.day = boundary.day and unserved.currency = known.currency), 0) as unearned,
        coalesce((select -sum(amount) from ledger_entry where account = 'revenue' and currency = known.currency
          and created_at >= boundary.at - interval '1 day' and created_at < boundary.at), 0) as booked
      from boundary cross join known
    ), compared as (
      select *, lag(unearned) over (partition by currency order by day) as before from by_day
    )
    select to_char(day, 'YYYY-MM-DD') as day, currency, booked::bigint, unearned::bigint,
      (booked + before - unearned)::bigint as earned
    from compared where before is not null order by day, currency`.execute(db);
  return rows;
}
