import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

/** Erases the comments on a deleted account's cancellations. */
export const eraseCancellations = (tx: Db, customerId: string) =>
  tx.updateTable('cancellation').set({ comment: null }).where('customer_id', '=', customerId).execute();

/** Erases the labels that a deleted account gave its subscriptions. */
export const eraseLabels = (tx: Db, customerId: string) =>
  tx.updateTable('subscription').set({ label: null }).where('customer_id', '=', customerId).execute();

/** Turns off the URL of a deleted account's addresses. */
export async function eraseAllowList(tx: Db, customerId: string): Promise<void> {
  await tx.deleteFrom('allow_list').where('customer_id', '=', customerId).execute();
}

/** Whether a customer's firewalls read their addresses by a URL, for the export of their data. */
export async function allowListOf(db: Db, customerId: string) {
  const row = await db
    .selectFrom('allow_list')
    .select('created_at')
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
  return { allowListUrl: row ? { createdAt: row.created_at.toISOString() } : null };
}

/** A customer's subscriptions, for the export of their data; the key module exports their keys. */
export async function subscriptionsOf(db: Db, customerId: string) {
  const rows = await db
    .selectFrom('subscription')
    .leftJoin('static_ip', 'static_ip.subscription_id', 'subscription.id')
    .select([
      'subscription.id',
      'subscription.label',
      'subscription.product_id as productId',
      'subscription.status',
      'subscription.created_at',
      'subscription.started_at',
      'subscription.period_end',
    ])
    .select(sql<string | null>`host(static_ip.address)`.as('address'))
    .where('subscription.customer_id', '=', customerId)
    .orderBy('subscription.created_at')
    .execute();
  return {
    subscriptions: rows.map(({ created_at, started_at, period_end, ...row }) => ({
      ...row,
      createdAt: created_at.toISOString(),
      startedAt: started_at?.toISOString() ?? null,
      periodEnd: period_end?.toISOString() ?? null,
    })),
  };
}
