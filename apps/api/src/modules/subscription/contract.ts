import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

/** Subquery: the time at which a subscription last ended; `-infinity` where it never did. */
export const lastEnd = (db: Db, subscriptionId: string) =>
  db
    .selectFrom('subscription_history')
    .select(sql<Date>`coalesce(max(at), '-infinity')`.as('at'))
    .where('subscription_id', '=', subscriptionId)
    .where('to_status', '=', 'expired')
    .where('from_status', '!=', 'expired');

/**
 * The contract that a customer can withdraw from: the paid orders of a subscription since it last ended. Renewals are no part
 * of it.
 */
const contract = (db: Db, subscriptionId: string) =>
  db
    .selectFrom('invoice')
    .innerJoin('shop_order', 'shop_order.id', 'invoice.order_id')
    .where('invoice.subscription_id', '=', subscriptionId)
    .where('invoice.status', '=', 'paid')
    .where('shop_order.status', '=', 'fulfilled')
    .where('invoice.paid_at', '>', lastEnd(db, subscriptionId));

/**
 * The time at which the contract was concluded, which is when its first order was paid, and the proration credit that paid a
 * part of it. Undefined where there is no contract.
 */
export async function contractOf(
  db: Db,
  subscriptionId: string,
): Promise<{ concludedAt: Date; prorated: number } | undefined> {
  const { at, prorated } = await contract(db, subscriptionId)
    .select(eb => [
      eb.fn.min('invoice.paid_at').as('at'),
      eb.fn.sum<number>('invoice.prorated').as('prorated'),
    ])
    .executeTakeFirstOrThrow();
  return at ? { concludedAt: at, prorated: Number(prorated) } : undefined;
}

/** The invoices of the contract, the newest first, with the period that each of them granted. */
export const contractInvoices = (db: Db, subscriptionId: string) =>
  contract(db, subscriptionId)
    .leftJoin('subscription_period as period', 'period.invoice_id', 'invoice.id')
    .select(['invoice.id', 'invoice.purpose', 'invoice.language', 'invoice.paid_at'])
    .select(['invoice.net', 'invoice.vat', 'invoice.total', 'invoice.prorated'])
    .select(['period.starts_at', 'period.ends_at', 'period.worth', 'period.upgraded_at'])
    .select(sql<Date | null>`least(period.paid_until, period.ends_at)`.as('paid_until'))
    .orderBy('invoice.paid_at', 'desc')
    .execute();

/**
 * When a customer has withdrawn from any contract before, other than by stepping back from a subscription that they waited
 * for.
 */
export async function withdrawalsOf(db: Db, customerId: string): Promise<Date[]> {
  const before = await db
    .selectFrom('subscription_history')
    .select('at')
    .where('subscription_id', 'in', ({ selectFrom }) =>
      selectFrom('subscription').select('id').where('customer_id', '=', customerId),
    )
    .where('command', '=', 'withdraw')
    .where(({ or, eb }) =>
      or([eb('from_status', '!=', 'provisioning'), eb(sql`detail->>'byRight'`, '=', 'true')]),
    )
    .execute();
  return before.map(({ at }) => at);
}
