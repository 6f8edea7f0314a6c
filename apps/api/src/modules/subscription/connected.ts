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
    .selectFrom('static_ip')
    .select(['subscription_id', sql<string>`host(address)`.as('address')])
    .where('customer_id', '=', customerId)
    .execute();
  return { ids: addresses.flatMap(({ subscription_id: id, address }) => (comesFrom(address) ? [id!] : [])) };
}
