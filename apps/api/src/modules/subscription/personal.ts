import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

/** Erases the comments on a deleted account's cancellations. */
export const eraseCancellations = (tx: Db, customerId: string) =>
  tx.updateTable('cancellation').set({ comment: null }).where('customer_id', '=', customerId).execute();

/** Erases the labels that a deleted account gave its subscriptions. */
export const eraseLabels = (tx: Db, customerId: string) =>
  tx.updateTable('subscription').set({ label: null }).where('customer_id', '=', customerId).execute();

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
