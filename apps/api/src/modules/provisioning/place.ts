import { SLOTS } from '@fixpoint/contract/agent.ts';
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

/**
 * Takes a free address of the least loaded host of the place that has one and can run one more. One pool after the other:
 * a look into all of them would lock an address of each, and who buys at the same time would find none.
 * @returns the host
 */
async function freeAddress(
  tx: Db,
  { id, customerId, providerId, regionId, vendorId }: Place & { id: string; customerId: string },
  now: Date,
): Promise<string | undefined> {
  const free = sql`subscription_id is null and (rests_until is null or rests_until <= ${now})`;
  const { rows: pools } = await sql<{ id: string; host_id: string }>`
    select pool.id, pool.host_id
    from address_pool pool join host on host.id = pool.host_id
      cross join lateral (select count(*) as runs from assignment where assignment.host_id = host.id) load
    where pool.provider_id = ${providerId} and pool.region_id = ${regionId} and pool.vendor_id = ${vendorId}
      and host.status = 'active' and load.runs < ${SLOTS}
      and exists (select from static_ip where pool_id = pool.id and ${free})
    order by load.runs, pool.host_id, pool.id`.execute(tx);
  for (const pool of pools) {
    const { rows: taken } = await sql`
      update static_ip set subscription_id = ${id}, customer_id = ${customerId}, rests_until = null
      where address = (
        select address from static_ip where pool_id = ${pool.id} and ${free}
        order by address limit 1 for update skip locked
      )
      returning address`.execute(tx);
    if (taken.length > 0) return pool.host_id;
  }
  return undefined;
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
