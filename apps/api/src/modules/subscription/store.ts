import type { Selectable } from 'kysely';
import type { Db } from '../../ports/database.ts';
import type { Tables } from '../../ports/tables.ts';

export type SubscriptionRow = Selectable<Tables['subscription']>;

/** The customer's own subscription, locked; undefined for another's and for an unknown one alike (S29). */
export const lockOwn = (tx: Db, customerId: string, id: string): Promise<SubscriptionRow | undefined> =>
  tx
    .selectFrom('subscription')
    .selectAll()
    .where('id', '=', id)
    .where('customer_id', '=', customerId)
    .forUpdate()
    .executeTakeFirst();

/** Subscriptions that are paid but have no host yet, oldest first. */
export async function waitingForHost(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('subscription')
    .leftJoin('assignment', 'assignment.subscription_id', 'subscription.id')
    .select('subscription.id')
    .where('subscription.status', '=', 'provisioning')
    .where('assignment.host_id', 'is', null)
    .orderBy('subscription.created_at')
    .limit(limit)
    .execute();
  return rows.map(row => row.id);
}
