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
/** Default resolvers: Quad9. */
const RESOLVERS = ['9.9.9.9'];

/**
 * Creates an enrolment token of a host; only its hash is stored. Valid once within 15 minutes (S78), or for a diskless
 * machine at every boot until the next token or until the host is retired.
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
 * Adds a VPN host with its addresses.
 * @param diskless the token is valid at every boot, because the machine stores nothing
 * @returns enrolment token `<host id>.<secret>.<fingerprint of the host authority>`
 * @throws Error when the host exists, or its place or a pool is invalid
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
        `${hostId} exists already.\nTo change it:\n  npm run shop -- host set --host ${hostId}\nTo replace its machine:\n  npm run shop -- host replace --host ${hostId}`,
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

/** @throws Error that lists the known places */
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
    `The catalogue has no such place. ${places.length > 0 ? `It has:\n${places.sort().join('\n')}` : 'It is empty. Import one:\n  npm run shop -- catalogue import FILE'}`,
  );
}

/** Adds pools to a host and changes its other settings. @returns number of added addresses */
export async function setHost(
  { db, live }: Pick<HostDeps, 'db' | 'live'>,
  hostId: string,
  settings: HostSettings,
): Promise<{ addresses: number }> {
  return db.transaction().execute(async tx => {
    const host = await lockHost(tx, hostId);
    if (host.status === 'retired') throw new Error(`${hostId} is retired. Its settings cannot change.`);
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

/** Locks and returns a host. @throws Error for an unknown host */
export async function lockHost(tx: Db, hostId: string) {
  const host = await tx
    .selectFrom('host')
    .selectAll()
    .where('id', '=', hostId)
    .forUpdate()
    .executeTakeFirst();
  if (!host) throw new Error(`There is no host ${hostId}. List all hosts:\n  npm run shop -- host list`);
  return host;
}

const placeOf = (row: { provider_id: string; region_id: string; vendor_id: string }): Place => ({
  providerId: row.provider_id,
  regionId: row.region_id,
  vendorId: row.vendor_id,
});

/** Stops or resumes assigning new subscriptions to a host. Those on it stay. */
export function drainHost({ db }: { db: Db }, hostId: string, draining: boolean): Promise<HostOccupancy> {
  return db.transaction().execute(async tx => {
    await lockHost(tx, hostId);
    await tx.updateTable('host').set({ draining }).where('id', '=', hostId).execute();
    return occupancyOf(tx, hostId);
  });
}

/** `reserved`: addresses in the host's ranges whose subscriptions run on no host. */
export type HostOccupancy = { runs: number; reserved: number };

/** What keeps a host from being retired: its subscriptions, and addresses reserved for expired ones. */
async function occupancyOf(db: Db, hostId: string): Promise<HostOccupancy> {
  const { reserved } = await db
    .selectFrom('static_ip')
    .innerJoin('address_pool', 'address_pool.id', 'static_ip.pool_id')
    .select(eb => eb.fn.countAll<number>().as('reserved'))
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
  return { runs: await runsOn(db, hostId), reserved: Number(reserved) };
}

/** Number of subscriptions on a host, without those that are leaving it. */
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
 * Creates a token for a machine that replaces the present one. The present machine is fenced when the new one enrols.
 * @param earlierIsOff the operator asserts that the present machine serves nobody. Otherwise the new one waits until that
 *   machine confirms that it stopped, or until its lease ends
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

/** {@link occupancyOf} of a host, which is locked for the transaction. @throws Error for an unknown one */
export async function lockOccupancy(db: Db, hostId: string): Promise<HostOccupancy> {
  await lockHost(db, hostId);
  return occupancyOf(db, hostId);
}

/** Places that have an enrolled host, silent ones included. */
export const placesWithHost = (db: Db): Promise<Place[]> =>
  db
    .selectFrom('host')
    .select(['provider_id as providerId', 'region_id as regionId', 'vendor_id as vendorId'])
    .distinct()
    .where('status', '=', 'active')
    .execute();

/** Shifts the times of hosts with the shop clock, so that advancing it makes no host silent or late. */
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
