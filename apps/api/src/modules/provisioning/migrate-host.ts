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
  /** Only this range; without it all that the host has. */
  pool?: string | undefined;
  /** What the next host binds, behind 1:1 NAT; without it what the one before did. */
  bind?: string | undefined;
  /** The operator's word that the machine before serves nobody any more: it is retired with that. */
  isOff?: boolean;
};

/**
 * Sends ranges of addresses to another host of the place, with every subscription that is on them: the one before is told to
 * end them, the next one gets them when that has stopped for sure ({@link desiredSet}). One transaction; repeating it is
 * refused with what is under way.
 * @returns how many subscriptions go along
 * @throws Error when the next host cannot take them
 */
export function migrateHost(
  { db, clock, live, jobs }: Deps,
  move: HostMigration,
): Promise<{ pools: string[]; moved: number }> {
  return db.transaction().execute(async tx => {
    const { from, to } = move;
    if (from === to) throw new Error(`${from} is where they are`);
    // Before the host's row, as who buys there does: he would wait for that with the slots in his hands.
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
        `${to} runs ${runs} of ${target.capacity} subscriptions and cannot take ${left.length} more. Move one range at a time with --pool, or raise it: npm run shop -- host set --host ${to} --capacity N`,
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
      `${source.id} stands in ${placeText(source)}, ${target.id} in ${placeText(target)}: customers have bought their place`,
    );
  if (target.status !== 'active' || !isOnline(target.seen_at, now))
    throw new Error(`${target.id} is not there: ${target.status}, and not heard of lately`);
}

async function poolsToMove(tx: Db, { from, to, pool }: HostMigration) {
  const pools = await tx
    .selectFrom('address_pool')
    .select(['id', 'routing'])
    .where('host_id', '=', from)
    .$if(pool !== undefined, query => query.where('id', '=', pool!))
    .forUpdate()
    .execute();
  if (pools.length === 0)
    throw new Error(
      `${from} has no ${pool ? `range ${pool}` : 'addresses'} to move to ${to}: npm run shop -- host show --host ${from}`,
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

/** The subscriptions of these ranges leave their host. */
async function leave(tx: Db, hostId: string, pools: string[]): Promise<Left[]> {
  const { rows } = await sql<Left>`
    with gone as (
      update assignment set status = 'leaving' from static_ip ip
      where ip.address = assignment.address and ip.pool_id = any(${pools}) and assignment.host_id = ${hostId}
        and assignment.status <> 'leaving'
      returning assignment.*
    ), told as (
      insert into pending_change (host_id, subscription_id, customer_id)
      select host_id, subscription_id, customer_id from gone
    )
    select slot, subscription_id, customer_id, address, server_certificate, server_key_sealed, server_not_after from gone
    order by slot`.execute(tx);
  return rows;
}

/**
 * A slot names the addresses inside the tunnel: who keeps his keeps his connections, too.
 * @param free in ascending order
 * @returns a free slot for each: his own where it is free, else the lowest that is left
 */
export function assignSlots(slots: readonly number[], free: readonly number[]): number[] {
  const taken = new Set(free);
  const kept = slots.map(slot => (taken.delete(slot) ? slot : undefined));
  const rest = [...taken];
  return kept.map(slot => slot ?? rest.shift()!);
}

/**
 * They come to the next host, with the certificate that they had: files trust the authority and the name and ask nobody, so
 * a new one would not shut out who has the old key.
 */
async function arrive(tx: Db, now: Date, hostId: string, left: Left[]): Promise<void> {
  if (left.length === 0) return;
  const { rows: free } = await sql<{ slot: number }>`
    select slot from generate_series(1, ${SLOTS}::int) slot
    where not exists (select from assignment where host_id = ${hostId} and assignment.slot = slot.slot)`.execute(
    tx,
  );
  if (free.length < left.length)
    throw new Error(`${hostId} has no room yet: its last customers are still leaving`);
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

/** Who has an address that is the next host's own would be kept out there. */
async function refuseOwnAddresses(tx: Db, target: Host, pools: string[]): Promise<void> {
  const held = await tx
    .selectFrom('static_ip')
    .select('bind_address')
    .where('pool_id', 'in', pools)
    .where('subscription_id', 'is not', null)
    .where(sql<boolean>`bind_address = any(${target.own_addresses}::inet[])`)
    .execute();
  if (held.length > 0)
    throw new Error(
      `${target.id} is reached at ${held.map(row => row.bind_address).join(', ')}, or its router is, and customers have that: give that machine another address first`,
    );
}

async function rebind(tx: Db, hostId: string, pools: string[], bind: string): Promise<void> {
  const [pool, ...more] = pools;
  if (more.length > 0) throw new Error(`--bind is for one range: name it with --pool`);
  refuseWrongBind(pool!, bind);
  await refuseBoundTwice(tx, hostId, bind);
  await sql`
    update static_ip set bind_address = host(${bind}::cidr)::inet + (address - host(${pool!}::cidr)::inet)
    where pool_id = ${pool!}`.execute(tx);
}

/**
 * How far the ranges are that go from one host to another. An address is in one range only, so whoever is served under one
 * is found by where it begins and ends, not among all that were ever sold.
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
  /** Subscriptions that hosts before may still serve, that are to be served by the next, and that are. */
  stillThere: number;
  goes: number;
  up: number;
};

/** Whether a move has been begun and leaves nothing behind that it is about. */
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
 * The operator has led the ranges to their next host.
 * @returns how many
 * @throws Error that names what is on its way, when that is none of it
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
    `No range${pool ? ` ${pool}` : ''} that your router leads is on its way from ${from} to ${to}. On their way: ${all.join('; ') || 'none'}`,
  );
}

/**
 * Goes on with a range that moves: leads it to its next host once the one before has stopped, and ends the move when all of
 * its subscriptions run there. Repeating it changes nothing.
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

/** Every range that moves and has to do with a host goes on: it has reported. */
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
