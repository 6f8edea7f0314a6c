import { daysLeft, freeFor } from '@fixpoint/domain/host/free-addresses.ts';
import { bangkokDay } from '@fixpoint/domain/kernel/bangkok.ts';
import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import { placeId } from './check-catalogue.ts';
import { hasRoom } from './has-room.ts';

const DAY_MS = 24 * 60 * 60_000;
/** The pace is that of so many days, and a place must last for as many. */
const PACE_DAYS = 14;

type Place = { provider: string; region: string; vendor: string };
type Alerted = { subject: string; what: Record<string, number> };

/** Pools of the place of an offer. */
const POOL_HERE = sql<boolean>`pool.provider_id = offer.provider_id and pool.region_id = offer.region_id
  and pool.vendor_id = offer.vendor_id`;

/**
 * Places that sell and have had a host, but none that can take a customer now. A host that is silent counts as one that can:
 * it has an alert of its own, and all are silent when the shop was away.
 */
export async function soldOutPlaces(db: Db, now: Date): Promise<Alerted[]> {
  const { rows } = await sql<Place>`
    select provider_id as provider, region_id as region, vendor_id as vendor from offer
    where active and exists (select from address_pool pool where ${POOL_HERE})
      and not ${hasRoom(now, new Date(0))}`.execute(db);
  return rows.map(place => ({ subject: placeId(place), what: {} }));
}

/** How many addresses of a place somebody had on the first run of today, and some days ago; null: not noted. */
type Noted = Place & { taken: number | null; takenBefore: number | null; days: number | null };

async function notedPlaces(db: Db, now: Date): Promise<Noted[]> {
  const today = bangkokDay(now);
  const { rows } = await sql<Noted>`
    select offer.provider_id as provider, offer.region_id as region, offer.vendor_id as vendor,
      noted.taken, before.taken as "takenBefore", ${today}::date - before.day as days
    from offer
      left join taken_addresses noted on noted.provider_id = offer.provider_id
        and noted.region_id = offer.region_id and noted.vendor_id = offer.vendor_id and noted.day = ${today}
      left join lateral (
        select day, taken from taken_addresses past
        where past.provider_id = offer.provider_id and past.region_id = offer.region_id
          and past.vendor_id = offer.vendor_id and day between ${today}::date - ${PACE_DAYS}::int and ${today}::date - 1
        order by day limit 1
      ) before on true
    where offer.active and exists (select from address_pool pool where ${POOL_HERE})`.execute(db);
  return rows;
}

const poolOf = ({ provider, region, vendor }: Place) => sql<boolean>`pool.provider_id = ${provider}
  and pool.region_id = ${region} and pool.vendor_id = ${vendor}`;

/** Counts the addresses of a place that somebody has, and notes them for this day. Reads them all, so once a day. */
async function noteTaken(db: Db, now: Date, place: Place): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    select count(*)::int as taken from static_ip join address_pool pool on pool.id = static_ip.pool_id
    where ${poolOf(place)} and static_ip.subscription_id is not null`.execute(db);
  const { taken } = rows[0]!;
  const { provider: provider_id, region: region_id, vendor: vendor_id } = place;
  await db
    .insertInto('taken_addresses')
    .values({ provider_id, region_id, vendor_id, day: bangkokDay(now), taken })
    .onConflict(on => on.columns(['provider_id', 'region_id', 'vendor_id', 'day']).doNothing())
    .execute();
  return taken;
}

/** Counts the free addresses of a place, up to `most`: more of them change nothing. */
async function freeUpTo(db: Db, now: Date, place: Place, most: number): Promise<number> {
  const { rows } = await sql<{ free: number }>`
    select count(*)::int as free from (
      select from free_address join address_pool pool on pool.id = free_address.pool_id
        join host on host.id = pool.host_id
      where ${poolOf(place)} and host.status = 'active' and not host.draining
        and (cooldown_until is null or cooldown_until <= ${now})
      limit ${most}
    ) counted`.execute(db);
  return rows[0]!.free;
}

/**
 * Places with fewer free addresses than `least`, or that have none in two weeks at the pace of the last two. The pace follows
 * from how many addresses were taken on the first run of each day.
 */
export async function lowPlaces(db: Db, now: Date, least: number): Promise<Alerted[]> {
  const low: Alerted[] = [];
  for (const { taken, takenBefore, days, ...place } of await notedPlaces(db, now)) {
    const takenNow = taken ?? (await noteTaken(db, now, place));
    const pace = takenBefore === null || days === null ? undefined : { taken: takenNow - takenBefore, days };
    const needed = Math.max(least, pace ? freeFor(PACE_DAYS, pace) : 0);
    const free = await freeUpTo(db, now, place, needed);
    // One that has none is sold out, which has an alert of its own.
    if (free === 0 || free >= needed) continue;
    const left = pace && daysLeft({ free, ...pace });
    low.push({ subject: placeId(place), what: { free, ...(left !== undefined && { days: left }) } });
  }
  const before = bangkokDay(new Date(now.getTime() - PACE_DAYS * DAY_MS));
  await db.deleteFrom('taken_addresses').where('day', '<', before).execute();
  return low;
}
