import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

/** Customers on a waiting list expect to wait for days; after this long an operator must know. */
const LONG_MS = 3 * 24 * 60 * 60_000;

type Waits = { provider: string; region: string; vendor: string; waiting: number; since: Date };

/** Locations at which a paid subscription has waited for longer than that since it was bought or reactivated. */
export async function longWaits(db: Db, now: Date): Promise<Waits[]> {
  const before = new Date(now.getTime() - LONG_MS);
  const { rows } = await sql<Waits>`
    select provider_id as provider, region_id as region, vendor_id as vendor,
      count(*)::int as waiting, min(begun.at) as since
    from subscription join product on product.id = product_id
    cross join lateral (
      select coalesce(max(at), subscription.created_at) as at from subscription_history
      where subscription_id = subscription.id and to_status = 'provisioning'
    ) begun
    where status = 'provisioning' and subscription.created_at <= ${before} and begun.at <= ${before}
    group by provider_id, region_id, vendor_id
    order by provider_id, region_id, vendor_id`.execute(db);
  return rows;
}
