import { onlineSince } from '@fixpoint/domain/host/host.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

/**
 * SQL condition on `offer`: an available host there has a free address and is not full. Queries each pool by its index, so
 * that a full place costs no more. Slots fill from the lowest: counts assignments only of hosts whose highest slot reaches
 * the capacity, and after the search for an address (`offset 0`).
 * @param hostCondition further SQL condition on `host`
 */
export const hasRoom = (
  now: Date,
  heard = onlineSince(now),
  hostCondition: RawBuilder<boolean> = sql`true`,
): RawBuilder<boolean> => sql<boolean>`exists (
  select from (
    select host.id, host.capacity from address_pool pool join host on host.id = pool.host_id
    where pool.provider_id = offer.provider_id and pool.region_id = offer.region_id
      and pool.vendor_id = offer.vendor_id and host.status = 'active' and host.seen_at > ${heard}
      and not host.draining and pool.moving_from is null and ${hostCondition}
      and (
        select true from free_address
        where free_address.pool_id = pool.id and (cooldown_until is null or cooldown_until <= ${now})
        limit 1
      )
    offset 0
  ) able
  where not exists (select from assignment where host_id = able.id and slot >= able.capacity)
    or (select count(*) from assignment where host_id = able.id) < able.capacity
)`;

/** Whether the place of a product has room now, so that nobody who buys it has to wait. */
export async function hasRoomFor(db: Db, now: Date, productId: string): Promise<boolean> {
  const found = await db
    .selectFrom('product')
    .innerJoin('offer', join =>
      join
        .onRef('offer.provider_id', '=', 'product.provider_id')
        .onRef('offer.region_id', '=', 'product.region_id')
        .onRef('offer.vendor_id', '=', 'product.vendor_id'),
    )
    .select('product.id')
    .where('product.id', '=', productId)
    .where(hasRoom(now))
    .executeTakeFirst();
  return found !== undefined;
}
