import { SLOTS } from '@fixpoint/contract/agent.ts';
import { lateSince, onlineSince } from '@fixpoint/domain/host/host.ts';
import { type RawBuilder, sql } from 'kysely';
import { newId } from '../../crypto/secrets.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { LiveBus } from '../../ports/live.ts';
import { isHostsOwn } from './address-reservation.ts';
import { markHostDirty } from './pending-change.ts';

export type Place = { providerId: string; regionId: string; vendorId: string };
type SubscriptionAtPlace = Place & { id: string; customerId: string };

/** Server certificate with its encrypted private key. */
export type ServerCertificate = {
  serverCertificate: string;
  serverKeySealed: Buffer;
  serverNotAfter: Date;
};

/**
 * Assigns a host and a static IP to a subscription, in the caller's transaction: the host of its own address if it has one,
 * else the least loaded host of its place with a free address.
 * @returns false when there is none, and the subscription waits
 */
export async function assignHost(
  deps: { clock: Clock; live: LiveBus },
  tx: Db,
  subscription: SubscriptionAtPlace,
  server: ServerCertificate,
): Promise<boolean> {
  const has = await tx
    .selectFrom('assignment')
    .select('id')
    .where('subscription_id', '=', subscription.id)
    .where('status', '!=', 'leaving')
    .executeTakeFirst();
  if (has) return true;
  const own = await ownAddress(tx, subscription);
  return own ? assign(deps, tx, subscription, own, server) : assignHostToNew(deps, tx, subscription, server);
}

/** Does the same for a subscription that was just created, which has neither host nor address. */
export async function assignHostToNew(
  deps: { clock: Clock; live: LiveBus },
  tx: Db,
  subscription: SubscriptionAtPlace,
  server: ServerCertificate,
): Promise<boolean> {
  const found = await freeAddress(tx, subscription, deps.clock.now());
  return found ? assign(deps, tx, subscription, found, server) : false;
}

async function assign(
  { clock, live }: { clock: Clock; live: LiveBus },
  tx: Db,
  subscription: SubscriptionAtPlace,
  { hostId, address }: Found,
  server: ServerCertificate,
): Promise<true> {
  const of = { subscription_id: subscription.id, customer_id: subscription.customerId, host_id: hostId };
  await tx
    .with('changed', cte => cte.insertInto('pending_change').values(of))
    .insertInto('assignment')
    .values({
      ...of,
      id: newId('asg'),
      slot: await freeSlot(tx, hostId),
      status: 'desired',
      down_since: clock.now(),
      address,
      server_certificate: server.serverCertificate,
      server_key_sealed: server.serverKeySealed,
      server_not_after: server.serverNotAfter,
    })
    .execute();
  await live.hostChanged(tx, hostId);
  return true;
}

/** Host and address for a subscription. */
type Found = { hostId: string; address: string };

/** Host of the address that the subscription still has. Ends the reservation of that address. */
async function ownAddress(tx: Db, subscription: { id: string }): Promise<Found | undefined> {
  const { rows } = await sql<Found>`
    update static_ip set reserved_until = null, reserved_at_most = null, notify_at = null from address_pool pool
    where pool.id = static_ip.pool_id and static_ip.subscription_id = ${subscription.id}
    returning pool.host_id as "hostId", static_ip.address`.execute(tx);
  return rows[0];
}

/** Cooldown of an address that did not work, so that the next buyer does not get it at once. */
const FAILED_COOLDOWN_MS = 60 * 60_000;

/**
 * SQL condition on `host`: the host fails to deliver. True from a subscription that did not start or failed its delivery
 * check until the alert is resolved.
 */
export const isHostFailing = sql<boolean>`exists (
  select from open_alert where kind = 'delivery.failed' and subject = host.id)`;

/**
 * SQL condition on `assignment` and `host`: a new subscription has not started in time. Requires a failing host; otherwise
 * the same host could be chosen again.
 */
export const hasNotStarted = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(assignment.down_since <= ${lateSince(now)} and ${isHostFailing})`;

/**
 * Takes a subscription that was never up off a silent or failing host, if another host of the place can take it (a failing
 * one only instead of a silent one). Takes it off an address that the host uses itself in any case. Call {@link assignHost}
 * afterwards.
 * @returns `left`, or whether its host reports it as up
 */
export async function leaveUnusableHost(
  { clock, live }: { clock: Clock; live: LiveBus },
  tx: Db,
  subscriptionId: string,
): Promise<'left' | 'up' | 'down'> {
  const now = clock.now();
  const { rows } = await sql<Place & { useless: boolean; up: boolean; silent: boolean; misplaced: boolean }>`
    select assignment.status = 'up' as up, coalesce(
        host.seen_at is null or host.seen_at <= ${onlineSince(now)} or not assignment.delivery_ok
          or ${isHostsOwn} or ${hasNotStarted(now)}, false) as useless, pool.provider_id as "providerId", pool.region_id as "regionId", pool.vendor_id as "vendorId",
      host.seen_at is null or host.seen_at <= ${onlineSince(now)} as silent,
      ${isHostsOwn} as misplaced
    from assignment join host on host.id = assignment.host_id
      join static_ip using (address) join address_pool pool on pool.id = static_ip.pool_id
    where assignment.subscription_id = ${subscriptionId} and assignment.status <> 'leaving'`.execute(tx);
  const [place] = rows;
  if (!place) return 'down';
  const { silent, misplaced, useless, up } = place;
  const stays = up ? 'up' : 'down';
  if (!useless) return stays;
  if (!misplaced) {
    const others = (await freePools(tx, place, now)).filter(host => silent || !host.fails);
    if (others.length === 0) return stays;
  }
  await leaveHost({ live }, tx, subscriptionId);
  await tx
    .updateTable('static_ip')
    .set({
      subscription_id: null,
      customer_id: null,
      ...(!silent && !misplaced && { cooldown_until: new Date(now.getTime() + FAILED_COOLDOWN_MS) }),
    })
    .where('subscription_id', '=', subscriptionId)
    .execute();
  return 'left';
}

/** Marks the assignment of a subscription as leaving. It is deleted once its host reports that it runs it no longer. */
export async function leaveHost({ live }: { live: LiveBus }, tx: Db, subscriptionId: string): Promise<void> {
  const left = await tx
    .updateTable('assignment')
    .set({ status: 'leaving' })
    .where('subscription_id', '=', subscriptionId)
    .where('status', '!=', 'leaving')
    .returning(['host_id', 'customer_id'])
    .execute();
  for (const { host_id, customer_id } of left)
    await markHostDirty(live, tx, host_id, { subscriptionId, customerId: customer_id });
}

/** Whether the host of a subscription reports it as up. */
export async function isUp(tx: Db, subscriptionId: string): Promise<boolean> {
  const up = await tx
    .selectFrom('assignment')
    .select('id')
    .where('subscription_id', '=', subscriptionId)
    .where('status', '=', 'up')
    .executeTakeFirst();
  return up !== undefined;
}

/** `fails`: {@link isHostFailing}. */
type FreePool = { id: string; host_id: string; fails: boolean };

/** Pools of a place with a free address on hosts that accept one more: least loaded by weight first, failing hosts last. */
async function freePools(tx: Db, { providerId, regionId, vendorId }: Place, now: Date): Promise<FreePool[]> {
  const { rows } = await sql<FreePool>`
    select pool.id, pool.host_id, ${isHostFailing} as fails
    from address_pool pool join host on host.id = pool.host_id
      cross join lateral (select count(*)::int as runs from assignment where assignment.host_id = host.id) load
    where pool.provider_id = ${providerId} and pool.region_id = ${regionId} and pool.vendor_id = ${vendorId}
      and host.status = 'active' and host.seen_at > ${onlineSince(now)} and not host.draining
      and pool.moving_from is null and load.runs < host.capacity
      and exists (select from free_address
        where free_address.pool_id = pool.id and (cooldown_until is null or cooldown_until <= ${now}))
    order by fails, load.runs::float / host.weight, pool.host_id, pool.id`.execute(tx);
  return rows;
}

/** Takes a free address, one pool after the other: one query over all pools would lock an address of each of them. */
async function freeAddress(tx: Db, subscription: SubscriptionAtPlace, now: Date): Promise<Found | undefined> {
  for (const pool of await freePools(tx, subscription, now)) {
    const { rows: taken } = await sql<{ address: string }>`
      update static_ip set subscription_id = ${subscription.id}, customer_id = ${subscription.customerId},
        cooldown_until = null
      where address = (
        select static_ip.address from static_ip join free_address using (address)
        where static_ip.pool_id = ${pool.id}
          -- Repeated for the locked row: a concurrent purchase may have taken it since the view was read.
          and static_ip.subscription_id is null
          and (static_ip.cooldown_until is null or static_ip.cooldown_until <= ${now})
        order by static_ip.address limit 1 for update of static_ip skip locked
      )
      returning address`.execute(tx);
    if (taken[0]) return { hostId: pool.host_id, address: taken[0].address };
  }
  return undefined;
}

/** Locks the slots of a host until the transaction ends. */
export async function lockSlots(tx: Db, hostId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`slots of ${hostId}`}, 0))`.execute(tx);
}

/** The lowest free slot of a host. */
async function freeSlot(tx: Db, hostId: string): Promise<number> {
  await lockSlots(tx, hostId);
  const { rows } = await sql<{ slot: number }>`
    select slot from generate_series(1, ${SLOTS}::int) slot
    where not exists (select from assignment where host_id = ${hostId} and assignment.slot = slot.slot)
    limit 1`.execute(tx);
  if (!rows[0]) throw new Error(`Host ${hostId} has no free slot.`);
  return rows[0].slot;
}
