import { daysLeft } from '@fixpoint/domain/host/free-addresses.ts';
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

/** Addresses of a place: free ones, and those that somebody has now and had some days ago. */
type Stock = Place & { free: number; taken: number; takenBefore: number | null; days: number | null };

async function stocksOf(db: Db, now: Date): Promise<Stock[]> {
  const today = bangkokDay(now);
  const { rows } = await sql<Stock>`
    select offer.provider_id as provider, offer.region_id as region, offer.vendor_id as vendor,
      free.count as free, taken.count as taken, before.taken as "takenBefore", ${today}::date - before.day as days
    from offer
      cross join lateral (
        select count(*)::int from static_ip join address_pool pool on pool.id = static_ip.pool_id
        where ${POOL_HERE} and static_ip.subscription_id is not null
      ) taken
      cross join lateral (
        select count(*)::int from free_address join address_pool pool on pool.id = free_address.pool_id
          join host on host.id = pool.host_id
        where ${POOL_HERE} and host.status = 'active' and not host.draining
          and (cooldown_until is null or cooldown_until <= ${now})
      ) free
      left join lateral (
        select day, taken from taken_addresses past
        where past.provider_id = offer.provider_id and past.region_id = offer.region_id
          and past.vendor_id = offer.vendor_id and day between ${today}::date - ${PACE_DAYS}::int and ${today}::date - 1
        order by day limit 1
      ) before on true
    where offer.active and exists (select from address_pool pool where ${POOL_HERE})`.execute(db);
  return rows;
}

/**
 * Places with fewer free addresses than `least`, or that have none in two weeks at the pace of the last two. Notes, once a
 * day, how many addresses are taken, from which the pace follows.
 */
export async function lowPlaces(db: Db, now: Date, least: number): Promise<Alerted[]> {
  const stocks = await stocksOf(db, now);
  await record(db, now, stocks);
  return stocks.flatMap(({ free, taken, takenBefore, days, ...place }) => {
    const left =
      takenBefore === null || days === null
        ? undefined
        : daysLeft({ free, taken: taken - takenBefore, days });
    const runsOut = left !== undefined && left < PACE_DAYS;
    // One that has none is sold out, which has an alert of its own.
    if (free === 0 || (free >= least && !runsOut)) return [];
    return [{ subject: placeId(place), what: { free, ...(left !== undefined && { days: left }) } }];
  });
}

async function record(db: Db, now: Date, stocks: readonly Stock[]): Promise<void> {
  const day = bangkokDay(now);
  const rows = stocks.map(({ provider, region, vendor, taken }) => ({
    provider_id: provider,
    region_id: region,
    vendor_id: vendor,
    day,
    taken,
  }));
  if (rows.length > 0)
    await db
      .insertInto('taken_addresses')
      .values(rows)
      .onConflict(on => on.columns(['provider_id', 'region_id', 'vendor_id', 'day']).doNothing())
      .execute();
  const before = bangkokDay(new Date(now.getTime() - PACE_DAYS * DAY_MS));
  await db.deleteFrom('taken_addresses').where('day', '<', before).execute();
}
