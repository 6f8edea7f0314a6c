import type { Db } from '../../ports/database.ts';

/** Users who see a subscription as members do: they have a device on it, or may have one. For the application. */
export async function usersWithPart(db: Db, customerId: string, subscriptionId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('device_allowance')
    .select('user_id')
    .where('customer_id', '=', customerId)
    .where('subscription_id', '=', subscriptionId)
    .union(
      db
        .selectFrom('vpn_key')
        .select(eb => eb.ref('user_id').$notNull().as('user_id'))
        .where('customer_id', '=', customerId)
        .where('subscription_id', '=', subscriptionId)
        .where('user_id', 'is not', null)
        .where('deleted_at', 'is', null),
    )
    .execute();
  return rows.map(({ user_id }) => user_id);
}
