import { heardSince } from '@fixpoint/domain/host/host.ts';
import { type RawBuilder, sql } from 'kysely';

/**
 * Whether a place has a free address on a host that is there, as a condition on a row of `offer`. Asked pool by
 * pool, each by its index: a place whose addresses are all taken costs no more than any other.
 */
export const hasFreeAddress = (now: Date): RawBuilder<boolean> => sql<boolean>`exists (
  select from address_pool pool join host on host.id = pool.host_id
  cross join lateral (
    select from static_ip ip
    where ip.pool_id = pool.id and ip.subscription_id is null and (ip.rests_until is null or ip.rests_until <= ${now})
    limit 1
  ) free
  where pool.provider_id = offer.provider_id and pool.region_id = offer.region_id
    and pool.vendor_id = offer.vendor_id and host.status = 'active' and host.seen_at > ${heardSince(now)}
)`;
