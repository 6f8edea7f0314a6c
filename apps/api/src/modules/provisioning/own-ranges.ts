import { PREFIX6 } from '@fixpoint/contract/agent.ts';
import { part6 } from '@fixpoint/contract/ipv6.ts';
import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

/** Of `address_pool as pool` and `static_ip`: what says which part of the range's prefix an address has. */
export const partColumns = [
  'pool.prefix6',
  sql<number>`32 - masklen(pool.prefix)`.as('bits'),
  sql<number>`(static_ip.address - host(pool.prefix)::inet)::int`.as('nth'),
] as const;

/** Each address of a range has its part of the prefix, whoever holds it; undefined where the range has no prefix. */
export const partOf = ({ prefix6, bits, nth }: { prefix6: string | null; bits: number; nth: number }) =>
  prefix6 === null ? undefined : part6(prefix6, bits, nth, PREFIX6.largest);

/** What a customer's subscriptions are on the internet: the static IP of each, and its part of a prefix of IPv6. */
export async function ownRanges(db: Db, customerId: string): Promise<{ id: string; ranges: string[] }[]> {
  const rows = await db
    .selectFrom('subscription')
    .innerJoin('static_ip', 'static_ip.subscription_id', 'subscription.id')
    .innerJoin('address_pool as pool', 'pool.id', 'static_ip.pool_id')
    .select(['subscription.id', sql<string>`host(static_ip.address)`.as('address'), ...partColumns])
    .where('subscription.customer_id', '=', customerId)
    .execute();
  return rows.map(row => {
    const part = partOf(row);
    return { id: row.id, ranges: part === undefined ? [row.address] : [row.address, part] };
  });
}
