import { onlineSince } from '@fixpoint/domain/host/host.ts';
import { type RawBuilder, sql } from 'kysely';

/**
 * Whether a place can take one subscription more, as a condition on a row of `offer`: a host that works and takes new
 * ones has a free address (view `free_address`) and is not full. Asked pool by pool, each by its index: a place whose
 * addresses are all taken costs no more than any other. The lowest free slot is always the next: only a host with one as
 * high as its capacity has them counted, and only where it has an address left (`offset 0`).
 * @param hostCondition a condition on the row of that `host`
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
