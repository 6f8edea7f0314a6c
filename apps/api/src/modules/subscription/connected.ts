import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

/**
 * Those of a customer's subscriptions through whose address his call comes (FU16).
 * @param comesFrom whether it comes from an address; from which, nobody learns (S85)
 */
export async function connectedOf(
  db: Db,
  customerId: string,
  comesFrom: (address: string) => boolean,
): Promise<{ ids: string[] }> {
  const addresses = await db
    .selectFrom('subscription')
    .innerJoin('static_ip', 'static_ip.subscription_id', 'subscription.id')
    .select(['subscription.id', sql<string>`host(static_ip.address)`.as('address')])
    .where('subscription.customer_id', '=', customerId)
    .execute();
  return { ids: addresses.flatMap(({ id, address }) => (comesFrom(address) ? [id] : [])) };
}
