import { sql } from 'kysely';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { LiveBus } from '../../ports/live.ts';
import { newId } from '../../secrets.ts';
import { changeHost } from './host-change.ts';

export type Place = { providerId: string; regionId: string; vendorId: string };

/** A server's certificate for its host. The private key comes sealed. */
export type ServerCertificate = {
  serverCertificate: string;
  serverKeySealed: Buffer;
  serverNotAfter: Date;
};

/** Tunnel networks of one host: 10.64.0.0/10 in parts of /24, less what the kernel's class numbers allow. */
const SLOTS = 2039;

/**
 * Gives a subscription a host and a static IP, in the caller's transaction: the host of its place that runs the fewest
 * and has a free address, or the host that its own address is routed to. False when there is none: it waits.
 */
export async function place(
  { clock, live }: { clock: Clock; live: LiveBus },
  tx: Db,
  subscription: Place & { id: string; customerId: string },
  server: ServerCertificate,
): Promise<boolean> {
  const has = await tx
    .selectFrom('assignment')
    .select('id')
    .where('subscription_id', '=', subscription.id)
    .where('status', '!=', 'leaving')
    .executeTakeFirst();
  if (has) return true;
  const hostId = (await ownAddress(tx, subscription)) ?? (await freeAddress(tx, subscription, clock.now()));
  if (!hostId) return false;
  await tx
    .insertInto('assignment')
    .values({
      id: newId('asg'),
      subscription_id: subscription.id,
      customer_id: subscription.customerId,
      host_id: hostId,
      slot: await freeSlot(tx, hostId),
      status: 'desired',
      server_certificate: server.serverCertificate,
      server_key_sealed: server.serverKeySealed,
      server_not_after: server.serverNotAfter,
    })
    .execute();
  await changeHost(live, tx, hostId, subscription.customerId);
  return true;
}

/** The host of the address that the subscription still holds; it is its own again for good. */
async function ownAddress(tx: Db, subscription: { id: string }): Promise<string | undefined> {
  const { rows } = await sql<{ host_id: string }>`
    update static_ip set held_until = null from address_pool pool
    where pool.id = static_ip.pool_id and static_ip.subscription_id = ${subscription.id}
    returning pool.host_id`.execute(tx);
  return rows[0]?.host_id;
}

/** Takes the first free address of the least loaded host of the place that has one. @returns the host */
async function freeAddress(
  tx: Db,
  { id, customerId, providerId, regionId, vendorId }: Place & { id: string; customerId: string },
  now: Date,
): Promise<string | undefined> {
  const { rows } = await sql<{ host_id: string }>`
    with candidate as materialized (
      select pool.host_id, pool.id as pool_id,
        (select count(*) from assignment where assignment.host_id = pool.host_id) as runs
      from address_pool pool join host on host.id = pool.host_id
      where pool.provider_id = ${providerId} and pool.region_id = ${regionId} and pool.vendor_id = ${vendorId}
        and host.status = 'active'
    ), free as (
      select candidate.host_id, ip.address
      from candidate cross join lateral (
        select address from static_ip
        where static_ip.pool_id = candidate.pool_id and subscription_id is null
          and (rests_until is null or rests_until <= ${now})
        order by address limit 1 for update skip locked
      ) ip
      order by candidate.runs, candidate.host_id limit 1
    )
    update static_ip set subscription_id = ${id}, customer_id = ${customerId}, rests_until = null
    from free where static_ip.address = free.address
    returning free.host_id`.execute(tx);
  return rows[0]?.host_id;
}

/** The lowest free slot of a host. The lock ends with the transaction, and nothing else waits for it. */
async function freeSlot(tx: Db, hostId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`slots of ${hostId}`}, 0))`.execute(tx);
  const { rows } = await sql<{ slot: number }>`
    select slot from generate_series(1, ${SLOTS}::int) slot
    where not exists (select from assignment where host_id = ${hostId} and assignment.slot = slot.slot)
    limit 1`.execute(tx);
  if (!rows[0]) throw new Error(`Host ${hostId} runs as many subscriptions as it can`);
  return rows[0].slot;
}
