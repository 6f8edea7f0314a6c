import { PREFIX6 } from '@fixpoint/contract/agent.ts';
import { part6 } from '@fixpoint/contract/ipv6.ts';
import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

/** Columns of `address_pool as pool` and `static_ip` that determine the part of the IPv6 prefix an address has. */
export const partColumns = [
  'pool.prefix6',
  sql<number>`32 - masklen(pool.prefix)`.as('bits'),
  sql<number>`(static_ip.address - host(pool.prefix)::inet)::int`.as('nth'),
] as const;

/** Part of the IPv6 prefix that belongs to an address. Undefined when its range has no prefix. */
export const partOf = ({ prefix6, bits, nth }: { prefix6: string | null; bits: number; nth: number }) =>
  prefix6 === null ? undefined : part6(prefix6, bits, nth, PREFIX6.largest);

/** Public ranges of a customer's subscriptions: static IP and part of an IPv6 prefix. */
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
