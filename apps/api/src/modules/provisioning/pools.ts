import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import type { LiveBus } from '../../ports/live.ts';
import type { Place } from './assign-host.ts';
import type { PoolRange, Routing } from './host-settings.ts';

export type NewPool = Place &
  PoolRange & { hostId: string; port: number; tcpPort?: number | null; routing: Routing };

/** Default TCP port: the one of HTTPS, which almost every network lets through. */
const TCP_PORT = 443;

/**
 * Adds a range of IPv4 addresses (/16 to /32) to a host, without network and broadcast address. Of a range that the host
 * has already it changes only the IPv6 prefix and the TCP port: files fall back to UDP.
 * @returns number of added addresses
 * @throws Error when it overlaps another pool, or the host binds it already
 */
export async function addPool(live: LiveBus, tx: Db, pool: NewPool): Promise<number> {
  const { prefix, bind, hostId } = pool;
  const bits = Number(prefix.split('/')[1]);
  const overlapping = await tx
    .selectFrom('address_pool')
    .select(['id', 'host_id', 'port', 'tcp_port', 'prefix6'])
    .where(sql<boolean>`prefix && ${prefix}::cidr`)
    .execute();
  const same = overlapping.find(known => known.id === prefix && known.host_id === hostId);
  if (same && same.port !== pool.port)
    throw new Error(`${prefix} uses port ${same.port}. Customers' files name it, so it cannot change.`);
  if (same && pool.prefix6) await setPrefix6(live, tx, same, pool.prefix6);
  if (same && pool.tcpPort !== undefined) await setTcpPort(live, tx, same, pool.tcpPort);
  if (same) return 0;
  const [other] = overlapping;
  if (other?.id === prefix)
    throw new Error(
      `${prefix} belongs to ${other.host_id}. To move it:\n  npm run shop -- host move --host ${other.host_id} --to ${hostId} --pool ${prefix}`,
    );
  if (other) throw new Error(`${prefix} overlaps ${other.id} of ${other.host_id}`);
  await refuseBoundTwice(tx, hostId, bind);
  if (pool.prefix6) await refuseTaken6(tx, pool.prefix6);
  await tx
    .insertInto('address_pool')
    .values({
      id: prefix,
      prefix,
      prefix6: pool.prefix6,
      provider_id: pool.providerId,
      region_id: pool.regionId,
      vendor_id: pool.vendorId,
      host_id: hostId,
      port: pool.port,
      tcp_port: pool.tcpPort === undefined ? TCP_PORT : pool.tcpPort,
      routing: pool.routing,
      // Treated like a migrating range until it is routed to the host, and sold only then.
      ...(pool.routing !== 'static' && { moving_from: hostId, routed: false }),
    })
    .execute();
  const [first, last] = bits >= 31 ? [0, 2 ** (32 - bits) - 1] : [1, 2 ** (32 - bits) - 2];
  await sql`
    insert into static_ip (address, pool_id, bind_address)
    select host(${prefix}::cidr)::inet + n, ${prefix}, host(${bind}::cidr)::inet + n
    from generate_series(${first}::int, ${last}::int) n`.execute(tx);
  return last - first + 1;
}

/** Sets the IPv6 prefix of an existing range. Its subscriptions get IPv6, and their tunnels restart once. */
async function setPrefix6(
  live: LiveBus,
  tx: Db,
  pool: { id: string; host_id: string; prefix6: string | null },
  prefix6: string,
): Promise<void> {
  if (pool.prefix6 === prefix6) return;
  await refuseTaken6(tx, prefix6, pool.id);
  await tx.updateTable('address_pool').set({ prefix6 }).where('id', '=', pool.id).execute();
  await updateHost(live, tx, pool);
}

async function setTcpPort(
  live: LiveBus,
  tx: Db,
  pool: { id: string; host_id: string; tcp_port: number | null },
  tcpPort: number | null,
): Promise<void> {
  if (pool.tcp_port === tcpPort) return;
  await tx.updateTable('address_pool').set({ tcp_port: tcpPort }).where('id', '=', pool.id).execute();
  await updateHost(live, tx, pool);
}

/** Marks all subscriptions of a range dirty. */
async function updateHost(live: LiveBus, tx: Db, pool: { id: string; host_id: string }): Promise<void> {
  await sql`
    insert into pending_change (host_id, subscription_id, customer_id)
    select host_id, subscription_id, customer_id from assignment
    where host_id = ${pool.host_id} and status <> 'leaving'
      and address in (select address from static_ip where pool_id = ${pool.id})`.execute(tx);
  await live.hostChanged(tx, pool.host_id);
}

/** @throws Error when an IPv6 prefix overlaps that of another pool */
async function refuseTaken6(tx: Db, prefix6: string, except = ''): Promise<void> {
  const taken = await tx
    .selectFrom('address_pool')
    .select(['id', 'prefix6'])
    .where(sql<boolean>`prefix6 && ${prefix6}::cidr`)
    .where('id', '!=', except)
    .executeTakeFirst();
  if (taken) throw new Error(`${prefix6} overlaps ${taken.prefix6} of ${taken.id}`);
}

/** @throws Error when a host binds an address of the range already for another pool */
export async function refuseBoundTwice(tx: Db, hostId: string, bind: string): Promise<void> {
  const taken = await tx
    .selectFrom('static_ip')
    .innerJoin('address_pool as pool', 'pool.id', 'static_ip.pool_id')
    .select('pool.id')
    .where('pool.host_id', '=', hostId)
    .where(sql<boolean>`static_ip.bind_address <<= ${bind}::cidr`)
    .limit(1)
    .executeTakeFirst();
  if (taken) throw new Error(`${hostId} binds addresses of ${bind} already, for ${taken.id}`);
}

/**
 * Removes a range of addresses. A reserved address has a holder; one in its cooldown has none, and is forgotten.
 * @returns number of removed addresses
 * @throws Error while somebody holds an address, or a host still serves one
 */
export async function removePool(tx: Db, hostId: string, pool: string): Promise<number> {
  const known = await tx
    .selectFrom('address_pool')
    .select(['id', 'moving_from'])
    .where('id', '=', pool)
    .where('host_id', '=', hostId)
    .forUpdate()
    .executeTakeFirst();
  if (!known) throw new Error(`${hostId} has no range ${pool}.`);
  const addresses = await tx
    .selectFrom('static_ip')
    .select(['address', 'subscription_id'])
    .where('pool_id', '=', pool)
    .forUpdate()
    .execute();
  const held = addresses.filter(({ subscription_id }) => subscription_id !== null).length;
  if (held > 0)
    throw new Error(
      `Addresses of ${pool} that customers hold: ${held}. To see which, run:\nnpm run shop -- host show --host ${hostId}`,
    );
  const served = await tx
    .selectFrom('assignment')
    .select('id')
    .where(sql<boolean>`address <<= ${pool}::cidr`)
    .limit(1)
    .executeTakeFirst();
  if (served || known.moving_from)
    throw new Error(
      `A host has not confirmed yet that it serves no address of ${pool}. Try again in a minute.`,
    );
  await tx.deleteFrom('static_ip').where('pool_id', '=', pool).execute();
  await tx.deleteFrom('address_pool').where('id', '=', pool).execute();
  return addresses.length;
}
