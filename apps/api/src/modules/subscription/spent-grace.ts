import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

/**
 * SQL: whether a customer has had days beyond a paid period within a year, and never paid for them. They get no more of these
 * days: whoever let each month end unpaid and reactivated it then had six days of every month for nothing.
 * @param customer the column of the surrounding query, or its value
 */
export const hasSpentGrace = (
  customer: Expression<string>,
  now: Date,
): RawBuilder<boolean> => sql<boolean>`exists (
  select from subscription mine join subscription_history ended on ended.subscription_id = mine.id
  where mine.customer_id = ${customer} and ended.command = 'expire' and ended.from_status = 'pastDue'
    and ended.at > ${now}::timestamptz - interval '365 days'
    and ended.at - interval '1 day' > (
      select max(ends_at) from subscription_period period
      where period.subscription_id = ended.subscription_id and period.ends_at <= ended.at))`;

/**
 * Whether an unpaid subscription ends with its paid period, because its customer has no days left beyond it. One whose invoice
 * a late worker opened after that has all days to pay.
 */
export async function endsWithoutGrace(
  db: Db,
  now: Date,
  row: { customer_id: string; period_end: Date | null },
  invoice: { issued_at: Date | null } | undefined,
): Promise<boolean> {
  const { period_end: end } = row;
  if (!end || end > now || !invoice?.issued_at || invoice.issued_at >= end) return false;
  const { rows } = await sql<{ spent: boolean }>`
    select ${hasSpentGrace(sql.val(row.customer_id), now)} as spent`.execute(db);
  return rows[0]!.spent;
}
