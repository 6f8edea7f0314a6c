import { SLOTS } from '@fixpoint/contract/agent.ts';
import { isOnline } from '@fixpoint/domain/host/host.ts';
import { sql } from 'kysely';
import { newId } from '../../crypto/secrets.ts';
import { type AddressRoutings, serverNumber } from '../../ports/address-routing.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import type { LiveBus } from '../../ports/live.ts';
import { lockSlots } from './assign-host.ts';
import { clearStoppedHost } from './fenced-host.ts';
import { refuseWrongBind } from './host-settings.ts';
import { lockHost, runsOn } from './hosts.ts';
import { refuseBoundTwice } from './pools.ts';
import { retire } from './retire-host.ts';

type Deps = { db: Db; clock: Clock; live: LiveBus; jobs: Jobs };

export type HostMigration = {
  from: string;
  to: string;
  /** Moves only this range; without it all ranges of the host. */
  pool?: string | undefined;
  /** Range that the next host binds, behind 1:1 NAT; without it the same as before. */
  bind?: string | undefined;
  /** The operator asserts that the first machine serves nobody. Its host is retired with the migration. */
  isOff?: boolean;
};

/**
 * Migrates ranges of addresses and their subscriptions to another host of the same place. The next host gets them once the
 * first one can no longer serve them ({@link desiredSet}). One transaction.
 * @returns the ranges, and the number of subscriptions
 * @throws Error when the next host cannot take them
 */
export function migrateHost(
  { db, clock, live, jobs }: Deps,
  move: HostMigration,
): Promise<{ pools: string[]; moved: number }> {
  return db.transaction().execute(async tx => {
    const { from, to } = move;
    if (from === to) throw new Error(`The addresses are on ${from} already.`);
    // Slots before the row of the host, in the order of a purchase: the other order would deadlock.
    await lockSlots(tx, to);
    const [source, target] = [await lockHost(tx, from), await lockHost(tx, to)];
    refuseTarget(source, target, clock.now());
    const pools = await poolsToMove(tx, move);
    if (pools.some(({ routing }) => routing === 'hcloud')) serverNumber(to, target.machine);
    const ids = pools.map(({ id }) => id);
    const left = await leave(tx, from, ids);
    const runs = await runsOn(tx, to);
    if (runs + left.length > target.capacity)
      throw new Error(
        `${to} runs ${runs} of ${target.capacity} subscriptions and cannot take ${left.length} more.\nMove one range at a time with --pool, or raise the capacity:\n  npm run shop -- host set --host ${to} --capacity N`,
      );
    if (move.bind) await rebind(tx, to, ids, move.bind);
    await refuseOwnAddresses(tx, target, ids);
    await tx
      .updateTable('address_pool')
      .set({ host_id: to, moving_from: from, routed: false })
      .where('id', 'in', ids)
      .execute();
    await arrive(tx, clock.now(), to, left);
    if (move.isOff) await retire({ live, clock }, tx, from, true);
    else await clearStoppedHost({ live, clock }, tx, from);
    await live.hostChanged(tx, from);
    await live.hostChanged(tx, to);
    for (const poolId of ids) await jobs.enqueue(tx, 'followMove', { poolId });
    return { pools: ids, moved: left.length };
  });
}

type Host = Awaited<ReturnType<typeof lockHost>>;
const placeText = (host: Host) => [host.provider_id, host.region_id, host.vendor_id].join(', ');

function refuseTarget(source: Host, target: Host, now: Date): void {
  if (placeText(source) !== placeText(target))
    throw new Error(
      `${source.id} is in ${placeText(source)}, ${target.id} in ${placeText(target)}. Customers bought their place, so both must be the same.`,
    );
  if (target.status !== 'active')
    throw new Error(`${target.id} is not available: its status is ${target.status}.`);
  if (!isOnline(target.seen_at, now))
    throw new Error(`${target.id} is not available: it has not reported lately.`);
}

async function poolsToMove(tx: Db, { from, to, pool }: HostMigration) {
  const pools = await tx
    .selectFrom('address_pool')
    .select(['id', 'routing'])
    .where('host_id', '=', from)
    .$if(pool !== undefined, query => query.where('id', '=', pool!))
    .orderBy('prefix')
    .forUpdate()
    .execute();
  if (pools.length === 0)
    throw new Error(
      `${from} has no ${pool ? `range ${pool}` : 'addresses'} to move to ${to}. See what it has:\n  npm run shop -- host show --host ${from}`,
    );
  return pools;
}

type Left = {
  slot: number;
  subscription_id: string;
  customer_id: string;
  address: string;
  server_certificate: string;
  server_key_sealed: Buffer;
  server_not_after: Date;
};

/** Marks the assignments of these ranges as leaving. @returns what was marked */
async function leave(tx: Db, hostId: string, pools: string[]): Promise<Left[]> {
  const { rows } = await sql<Left>`
    with gone as (
      update assignment set status = 'leaving' from static_ip ip
      where ip.address = assignment.address and ip.pool_id = any(${pools}) and assignment.host_id = ${hostId}
        and assignment.status <> 'leaving'
      returning assignment.*
    ), marked as (
      insert into pending_change (host_id, subscription_id, customer_id)
      select host_id, subscription_id, customer_id from gone
    )
    select slot, subscription_id, customer_id, address, server_certificate, server_key_sealed, server_not_after from gone
    order by slot`.execute(tx);
  return rows;
}

/**
 * Assigns a free slot to each subscription: its present one if free, else the lowest one left. A slot determines the
 * addresses inside the tunnel, so connections survive where it stays.
 * @param free in ascending order
 */
export function assignSlots(slots: readonly number[], free: readonly number[]): number[] {
  const taken = new Set(free);
  const kept = slots.map(slot => (taken.delete(slot) ? slot : undefined));
  const rest = [...taken];
  return kept.map(slot => slot ?? rest.shift()!);
}

/**
 * Assigns subscriptions to the next host with their present server certificate. A new one would not lock out a holder of
 * the old key, because files trust authority and name and check no revocation.
 */
async function arrive(tx: Db, now: Date, hostId: string, left: Left[]): Promise<void> {
  if (left.length === 0) return;
  const { rows: free } = await sql<{ slot: number }>`
    select slot from generate_series(1, ${SLOTS}::int) slot
    where not exists (select from assignment where host_id = ${hostId} and assignment.slot = slot.slot)`.execute(
    tx,
  );
  if (free.length < left.length)
    throw new Error(`${hostId} has no free slots yet: subscriptions are still leaving it. Try again later.`);
  const slots = assignSlots(
    left.map(({ slot }) => slot),
    free.map(({ slot }) => slot),
  );
  await tx
    .insertInto('assignment')
    .values(
      left.map((row, n) => ({
        ...row,
        id: newId('asg'),
        host_id: hostId,
        slot: slots[n]!,
        status: 'desired' as const,
        down_since: now,
      })),
    )
    .execute();
  await tx
    .insertInto('pending_change')
    .values(
      left.map(({ subscription_id, customer_id }) => ({ host_id: hostId, subscription_id, customer_id })),
    )
    .execute();
}

/** @throws Error when customers have an address that the next host uses itself: it could not serve them there */
async function refuseOwnAddresses(tx: Db, target: Host, pools: string[]): Promise<void> {
  const conflicts = await tx
    .selectFrom('static_ip')
    .select('bind_address')
    .where('pool_id', 'in', pools)
    .where('subscription_id', 'is not', null)
    .where(sql<boolean>`bind_address = any(${target.own_addresses}::inet[])`)
    .execute();
  if (conflicts.length > 0)
    throw new Error(
      `${target.id} or its router uses ${conflicts.map(row => row.bind_address).join(', ')} itself, and customers have that address. Give the machine another address first.`,
    );
}

async function rebind(tx: Db, hostId: string, pools: string[], bind: string): Promise<void> {
  const [pool, ...more] = pools;
  if (more.length > 0) throw new Error('--bind applies to one range. Name it with --pool.');
  refuseWrongBind(pool!, bind);
  await refuseBoundTwice(tx, hostId, bind);
  await sql`
    update static_ip set bind_address = host(${bind}::cidr)::inet + (address - host(${pool!}::cidr)::inet)
    where pool_id = ${pool!}`.execute(tx);
}

/**
 * State of the ranges that migrate between two hosts. Finds assignments by the bounds of a range, so that the index serves
 * it: an address is in one range only.
 */
export async function migrationsBetween(db: Db, from: string, to: string) {
  const { rows } = await sql<MigrationState>`
    select pool.id as pool, pool.prefix6, pool.routing, pool.routed, served.* from address_pool pool cross join lateral (
      select (count(*) filter (where host_id <> ${to} and status = 'leaving'))::int as "stillThere",
        (count(*) filter (where host_id = ${to} and status <> 'leaving'))::int as goes,
        (count(*) filter (where host_id = ${to} and status = 'up'))::int as up
      from assignment
      where address between host(network(pool.prefix))::inet and host(broadcast(pool.prefix))::inet
    ) served
    where moving_from = ${from} and host_id = ${to} order by pool.prefix`.execute(db);
  return rows;
}
export type MigrationState = {
  pool: string;
  prefix6: string | null;
  routing: 'static' | 'hcloud';
  routed: boolean;
  /** Subscriptions that earlier hosts may still serve, that the next one should serve, and that it serves. */
  stillThere: number;
  goes: number;
  up: number;
};

/** Whether this migration has begun and covers everything that it is about. */
export async function isUnderWay(db: Db, { from, to, pool }: HostMigration): Promise<boolean> {
  const goes = await migrationsBetween(db, from, to);
  if (pool !== undefined) return goes.some(move => move.pool === pool);
  const left = await db
    .selectFrom('address_pool')
    .select('id')
    .where('host_id', '=', from)
    .executeTakeFirst();
  return goes.length > 0 && !left;
}

/**
 * Records that the operator has routed the ranges to their next host.
 * @returns number of ranges
 * @throws Error that lists the migrating ranges, when none of them matches
 */
export async function confirmRouted(db: Db, { from, to, pool }: HostMigration): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('address_pool')
    .set({ routed: true })
    .where('moving_from', '=', from)
    .where('host_id', '=', to)
    .where('routing', '=', 'static')
    .$if(pool !== undefined, query => query.where('id', '=', pool!))
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return Number(numUpdatedRows);
  const goes = await db
    .selectFrom('address_pool')
    .select(['id', 'moving_from', 'host_id'])
    .where('moving_from', 'is not', null)
    .where('routing', '=', 'static')
    .orderBy('prefix')
    .execute();
  const all = goes.map(({ id, moving_from, host_id }) => `${id} from ${moving_from} to ${host_id}`);
  throw new Error(
    `No statically routed range${pool ? ` ${pool}` : ''} is moving from ${from} to ${to}. Moving now: ${all.join('; ') || 'none'}`,
  );
}

/**
 * Next step of a migrating range: routes it to its next host once the first one has stopped, and ends the migration when
 * all subscriptions run there. Idempotent.
 */
export async function followMigration(
  { db, routing }: { db: Db; routing: AddressRoutings },
  poolId: string,
): Promise<void> {
  const pool = await db
    .selectFrom('address_pool')
    .innerJoin('host', 'host.id', 'address_pool.host_id')
    .select(['moving_from', 'routing', 'host_id', 'host.machine'])
    .where('address_pool.id', '=', poolId)
    .where('moving_from', 'is not', null)
    .executeTakeFirst();
  if (!pool) return;
  const state = (await migrationsBetween(db, pool.moving_from!, pool.host_id)).find(
    row => row.pool === poolId,
  );
  if (!state || state.stillThere > 0) return;
  if (!state.routed && !(await lead(routing, poolId, pool))) return;
  await db
    .updateTable('address_pool')
    .set({ routed: true, ...(state.up === state.goes && { moving_from: null }) })
    .where('id', '=', poolId)
    .where('host_id', '=', pool.host_id)
    .execute();
}

async function lead(
  routing: AddressRoutings,
  poolId: string,
  pool: { routing: 'static' | 'hcloud'; host_id: string; machine: string | null },
): Promise<boolean> {
  const way = routing[pool.routing];
  if (!way) throw new Error('HCLOUD_TOKEN is missing: floating IPs cannot be assigned');
  return (await way.route(poolId, { hostId: pool.host_id, machine: pool.machine })).routed;
}

/** Enqueues the next step of every migrating range, or of those that concern a host which has reported. */
export async function enqueueMigrationSteps(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  hostId?: string,
): Promise<void> {
  const moving = await db
    .selectFrom('address_pool')
    .select('id')
    .where('moving_from', 'is not', null)
    .$if(hostId !== undefined, query =>
      query.where(({ eb, or }) => or([eb('moving_from', '=', hostId!), eb('host_id', '=', hostId!)])),
    )
    .execute();
  for (const { id } of moving) await jobs.enqueue(db, 'followMove', { poolId: id });
}
