import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import type { Place } from './place.ts';

/** The largest range of one pool: 65,536 addresses. */
const SHORTEST_PREFIX = 16;

/**
 * Adds a range of addresses that is routed to a host: IPv4, any length from /16 to /32. Addresses of the network itself
 * (the first and last of a range that has such) are left out. A range that the host has already stays as it is.
 * @throws when it is no range, or belongs to another host or overlaps another pool
 */
export async function addPool(tx: Db, pool: Place & { prefix: string; hostId: string }): Promise<void> {
  const { prefix, hostId } = pool;
  const [network, length] = prefix.split('/');
  const bits = Number(length);
  if (
    !/^\d+(\.\d+){3}$/.test(network ?? '') ||
    !Number.isInteger(bits) ||
    bits < SHORTEST_PREFIX ||
    bits > 32
  ) {
    throw new Error(
      `Not an address pool: ${prefix} (expected an IPv4 range from /${SHORTEST_PREFIX} to /32)`,
    );
  }
  const known = await tx
    .selectFrom('address_pool')
    .select('host_id')
    .where(sql<boolean>`prefix = ${prefix}::cidr`)
    .executeTakeFirst();
  if (known && known.host_id !== hostId) {
    throw new Error(`${prefix} is routed to ${known.host_id}; route it to ${hostId} first`);
  }
  if (known) return;
  await tx
    .insertInto('address_pool')
    .values({
      id: prefix,
      prefix,
      provider_id: pool.providerId,
      region_id: pool.regionId,
      vendor_id: pool.vendorId,
      host_id: hostId,
    })
    .execute();
  const [first, last] = bits >= 31 ? [0, 2 ** (32 - bits) - 1] : [1, 2 ** (32 - bits) - 2];
  await sql`
    insert into static_ip (address, pool_id, bind_address)
    select host(${prefix}::cidr)::inet + n, ${prefix}, host(${prefix}::cidr)::inet + n
    from generate_series(${first}::int, ${last}::int) n`.execute(tx);
}
