import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

/** A host brings up a subscription within a minute or two; after this long an operator must know. */
const LONG_MS = 3 * 24 * 60 * 60_000;
/** An address is assigned with the purchase: who has none after this long waits for one. */
const WITHOUT_ADDRESS_MS = 60_000;

type Waits = { provider: string; region: string; vendor: string; waiting: number; since: Date };

/** Places at which a paid subscription waits for an address, or has waited for a host for days since it was bought or reactivated. */
export async function longWaits(db: Db, now: Date): Promise<Waits[]> {
  const before = new Date(now.getTime() - LONG_MS);
  const justNow = new Date(now.getTime() - WITHOUT_ADDRESS_MS);
  const { rows } = await sql<Waits>`
    select provider_id as provider, region_id as region, vendor_id as vendor,
      count(*)::int as waiting, min(begun.at) as since
    from subscription join product on product.id = product_id
    cross join lateral (
      select coalesce(max(at), subscription.created_at) as at from subscription_history
      where subscription_id = subscription.id and to_status = 'provisioning'
    ) begun
    where status = 'provisioning' and begun.at <= ${justNow}
      and (begun.at <= ${before} or not exists (
        select from static_ip where static_ip.subscription_id = subscription.id))
    group by provider_id, region_id, vendor_id
    order by provider_id, region_id, vendor_id`.execute(db);
  return rows;
}
