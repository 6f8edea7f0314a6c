import { sql } from 'kysely';
import { newToken, tokenHash } from '../../crypto/secrets.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { LiveBus } from '../../ports/live.ts';
import type { Signer } from '../../ports/signer.ts';
import type { Place } from './assign-host.ts';
import { openHostAuthority, pemFingerprint } from './host-authority.ts';
import type { HostSettings } from './host-settings.ts';
import { markHostDirty } from './pending-change.ts';
import { addPool } from './pools.ts';

export type HostDeps = { db: Db; signer: Signer; clock: Clock; live: LiveBus };

const ENROL_MS = 15 * 60 * 1000;
/** Quad9, for hosts of which nothing else is said. */
const RESOLVERS = ['9.9.9.9'];

/**
 * A token with which a host enrols, bound to this host; only its hash is kept. Once and within 15 minutes (S78), or for a
 * machine without a disk at every boot, until there is another token or the host is retired.
 */
async function newEnrolment({ db, signer, clock }: HostDeps, hostId: string, diskless: boolean) {
  const authority = await openHostAuthority(db, signer, clock);
  const secret = newToken();
  return {
    token: `${hostId}.${secret}.${pemFingerprint(authority.ca)}`,
    row: {
      enrol_hash: tokenHash(secret),
      enrol_expires_at: diskless ? null : new Date(clock.now().getTime() + ENROL_MS),
      enrol_each_boot: diskless,
    },
  };
}

/**
 * Names a VPN host with its addresses.
 * @param diskless the machine forgets everything when it is switched off: the token is good at every boot
 * @returns the token with which its machine enrols: `<host id>.<secret>.<fingerprint of the host authority>`
 * @throws Error when the host is there already, or its place or a pool is not right
 */
export async function addHost(
  deps: HostDeps,
  place: Place,
  hostId: string,
  settings: HostSettings,
  diskless = false,
): Promise<{ token: string; addresses: number }> {
  const { token, row } = await newEnrolment(deps, hostId, diskless);
  return deps.db.transaction().execute(async tx => {
    await refuseUnknownPlace(tx, place);
    const { dns = RESOLVERS, machine, capacity, weight } = settings;
    const added = await tx
      .insertInto('host')
      .values({
        id: hostId,
        provider_id: place.providerId,
        region_id: place.regionId,
        vendor_id: place.vendorId,
        status: 'enrolling',
        ...row,
        dns,
        machine,
        capacity,
        weight,
      })
      .onConflict(conflict => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!added)
      throw new Error(
        `${hostId} is there already. To change it: npm run shop -- host set --host ${hostId}; for another machine in its place: npm run shop -- host replace --host ${hostId}`,
      );
    return { token, addresses: await addPools(deps.live, tx, place, hostId, settings) };
  });
}

async function addPools(
  live: LiveBus,
  tx: Db,
  place: Place,
  hostId: string,
  settings: HostSettings,
): Promise<number> {
  const { pools, port, tcpPort, routing } = settings;
  let addresses = 0;
  for (const pool of pools)
    addresses += await addPool(live, tx, { ...place, ...pool, hostId, port, tcpPort, routing });
  return addresses;
}

/** @throws Error that names the places that there are */
async function refuseUnknownPlace(tx: Db, place: Place): Promise<void> {
  const offers = await tx.selectFrom('offer').selectAll().execute();
  const known = offers.some(
    offer =>
      offer.provider_id === place.providerId &&
      offer.region_id === place.regionId &&
      offer.vendor_id === place.vendorId,
  );
  if (known) return;
  const places = offers.map(
    ({ provider_id, region_id, vendor_id }) =>
      `--provider ${provider_id} --region ${region_id} --vendor ${vendor_id}`,
  );
  throw new Error(
    `The catalogue has no such place. ${places.length > 0 ? `It has:\n${places.sort().join('\n')}` : 'It is empty: npm run shop -- catalogue import FILE'}`,
  );
}

/** What a host may be told when it is there: further pools, and everything else again. @returns how many addresses came */
export async function setHost(
  { db, live }: Pick<HostDeps, 'db' | 'live'>,
  hostId: string,
  settings: HostSettings,
): Promise<{ addresses: number }> {
  return db.transaction().execute(async tx => {
    const host = await lockHost(tx, hostId);
    if (host.status === 'retired') throw new Error(`${hostId} is retired: nothing can be set of it`);
    const { dns = host.dns, machine, capacity, weight } = settings;
    await tx
      .updateTable('host')
      .set({ dns, ...(machine && { machine }), ...(capacity && { capacity }), ...(weight && { weight }) })
      .where('id', '=', hostId)
      .execute();
    if (host.dns.join() !== dns.join()) await markHostDirty(live, tx, hostId);
    return { addresses: await addPools(live, tx, placeOf(host), hostId, settings) };
  });
}

/** @throws Error when there is no such host */
export async function lockHost(tx: Db, hostId: string) {
  const host = await tx
    .selectFrom('host')
    .selectAll()
    .where('id', '=', hostId)
    .forUpdate()
    .executeTakeFirst();
  if (!host) throw new Error(`There is no host ${hostId}. All of them: npm run shop -- host list`);
  return host;
}

const placeOf = (row: { provider_id: string; region_id: string; vendor_id: string }): Place => ({
  providerId: row.provider_id,
  regionId: row.region_id,
  vendorId: row.vendor_id,
});

/** Whether a host gets new customers; who is on it stays. */
export function drainHost({ db }: { db: Db }, hostId: string, draining: boolean): Promise<HostOccupancy> {
  return db.transaction().execute(async tx => {
    await lockHost(tx, hostId);
    await tx.updateTable('host').set({ draining }).where('id', '=', hostId).execute();
    return occupancyOf(tx, hostId);
  });
}

/** `held`: addresses in a host's ranges whose subscriptions run nowhere. */
export type HostOccupancy = { runs: number; held: number };

/** What keeps a host from being retired: who is on it, and who comes to it when he takes his subscription up again. */
export async function occupancyOf(db: Db, hostId: string): Promise<HostOccupancy> {
  const { held } = await db
    .selectFrom('static_ip')
    .innerJoin('address_pool', 'address_pool.id', 'static_ip.pool_id')
    .select(eb => eb.fn.countAll<number>().as('held'))
    .where('address_pool.host_id', '=', hostId)
    .where('static_ip.subscription_id', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('assignment')
            .select('assignment.id')
            .whereRef('assignment.subscription_id', '=', 'static_ip.subscription_id')
            .where('assignment.status', '!=', 'leaving'),
        ),
      ),
    )
    .executeTakeFirstOrThrow();
  return { runs: await runsOn(db, hostId), held: Number(held) };
}

/** Subscriptions that are on a host and are not leaving it. */
export async function runsOn(db: Db, hostId: string): Promise<number> {
  const { runs } = await db
    .selectFrom('assignment')
    .select(eb => eb.fn.countAll<number>().as('runs'))
    .where('host_id', '=', hostId)
    .where('status', '!=', 'leaving')
    .executeTakeFirstOrThrow();
  return Number(runs);
}

/**
 * Lets another machine be this host: with the token it enrols, and the one before is told to end. What the host runs stays.
 * @param earlierIsOff the operator's word that the machine before serves nobody any more; without it the new one waits
 *   until that one has said so, or its set has become too old
 */
export async function replaceHost(
  deps: HostDeps,
  hostId: string,
  { earlierIsOff, diskless = false }: { earlierIsOff: boolean; diskless?: boolean },
): Promise<string> {
  const { token, row } = await newEnrolment(deps, hostId, diskless);
  await deps.db.transaction().execute(async tx => {
    await lockHost(tx, hostId);
    await tx
      .updateTable('host')
      .set({ ...row, earlier_is_off: earlierIsOff })
      .where('id', '=', hostId)
      .execute();
  });
  return token;
}

/** The places at which a host has enrolled, whether it answers now or not. */
export const placesWithHost = (db: Db): Promise<Place[]> =>
  db
    .selectFrom('host')
    .select(['provider_id as providerId', 'region_id as regionId', 'vendor_id as vendorId'])
    .distinct()
    .where('status', '=', 'active')
    .execute();

/** The shop's clock was moved: no host has been silent for that long, or has owed anything. */
export async function shiftHostTimes(tx: Db, ms: number): Promise<void> {
  const by = sql`${ms}::float8 * interval '1 ms'`;
  await tx
    .updateTable('host')
    .set({ seen_at: sql<Date>`seen_at + ${by}` })
    .where('seen_at', 'is not', null)
    .execute();
  await tx
    .updateTable('assignment')
    .set({ down_since: sql<Date>`down_since + ${by}` })
    .where('down_since', 'is not', null)
    .execute();
  await tx
    .updateTable('pending_change')
    .set({ due_since: sql<Date>`due_since + ${by}` })
    .where('due_since', 'is not', null)
    .execute();
}
