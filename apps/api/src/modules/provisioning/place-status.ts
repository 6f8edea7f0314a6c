import type { StatusPage } from '@fixpoint/contract/status.ts';
import { isOnline } from '@fixpoint/domain/host/host.ts';
import { type PlaceState, placeState } from '@fixpoint/domain/host/place-state.ts';
import { bangkokDay } from '@fixpoint/domain/kernel/bangkok.ts';
import { sql } from 'kysely';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import { canJudgeSilence, silentHosts } from './silent-hosts.ts';

/** How many days the status page shows, today included. */
const DAYS = 90;
const DAY_MS = 24 * 60 * 60_000;
const MINUTE_MS = 60_000;
/** Bangkok has no daylight saving time. */
const BANGKOK_MS = 7 * 60 * MINUTE_MS;

export type StatusDeps = {
  db: Db;
  clock: Clock;
  systemClock: Clock;
  /** When this program started, by the system clock. */
  startedAt: Date;
};

type Place = { provider: string; region: string; vendor: string };
const key = ({ provider, region, vendor }: Place): string => `${provider} ${region} ${vendor}`;

/** The state of each place that has servers, by their reports. */
async function placeStates({ db, clock, systemClock, startedAt }: StatusDeps) {
  const [now, systemNow] = [clock.now(), systemClock.now()];
  const silent = new Set((await silentHosts(db, now, systemNow)).map(({ id }) => id));
  const hosts = await db
    .selectFrom('host')
    .select(['id', 'provider_id as provider', 'region_id as region', 'vendor_id as vendor', 'seen_at'])
    .where('status', '=', 'active')
    .execute();
  const counts = new Map<string, { place: Place; answering: number; silent: number }>();
  for (const { id, seen_at, ...place } of hosts) {
    const of = counts.get(key(place)) ?? { place, answering: 0, silent: 0 };
    if (silent.has(id)) of.silent += 1;
    else if (isOnline(seen_at, now)) of.answering += 1;
    counts.set(key(place), of);
  }
  const canJudge = canJudgeSilence(startedAt, systemNow);
  return [...counts.values()].map(({ place, ...of }) => ({
    place,
    state: placeState(of.answering, of.silent, canJudge),
  }));
}

/** Counts the present minute for each place whose state is known, and forgets days that no page shows. */
export async function countMinute(deps: StatusDeps): Promise<void> {
  const now = deps.clock.now();
  const day = bangkokDay(now);
  const known = (await placeStates(deps)).filter(({ state }) => state !== 'unknown');
  const rows = known.map(({ place, state }) => ({
    provider_id: place.provider,
    region_id: place.region,
    vendor_id: place.vendor,
    day,
    watched_minutes: 1,
    disturbed_minutes: state === 'up' ? 0 : 1,
    last_minute: Math.floor(((now.getTime() + BANGKOK_MS) % DAY_MS) / MINUTE_MS),
  }));
  if (rows.length > 0)
    await deps.db
      .insertInto('place_day')
      .values(rows)
      .onConflict(on =>
        on
          .columns(['provider_id', 'region_id', 'vendor_id', 'day'])
          .doUpdateSet({
            watched_minutes: sql`place_day.watched_minutes + 1`,
            disturbed_minutes: sql`place_day.disturbed_minutes + excluded.disturbed_minutes`,
            last_minute: sql`excluded.last_minute`,
          })
          .where(sql<boolean>`place_day.last_minute < excluded.last_minute`),
      )
      .execute();
  await deps.db.deleteFrom('place_day').where('day', '<', firstDay(now)).execute();
}

const firstDay = (now: Date): string => bangkokDay(new Date(now.getTime() - (DAYS - 1) * DAY_MS));

/** The state of each place that is offered or has servers, now and on each day that was watched. */
export async function statusPage(deps: StatusDeps): Promise<StatusPage> {
  const { db, clock } = deps;
  const states = new Map<string, PlaceState>(
    (await placeStates(deps)).map(({ place, state }) => [key(place), state]),
  );
  const offers = await db
    .selectFrom('offer')
    .innerJoin('provider', 'provider.id', 'offer.provider_id')
    .innerJoin('region', 'region.id', 'offer.region_id')
    .innerJoin('vendor', 'vendor.id', 'offer.vendor_id')
    .select(['offer.provider_id as provider', 'offer.region_id as region', 'offer.vendor_id as vendor'])
    .select(['active', 'provider.name as providerName', 'region.name as regionName'])
    .select('vendor.name as vendorName')
    .orderBy('region.name')
    .orderBy('provider.name')
    .orderBy('vendor.name')
    .execute();
  const days = await db
    .selectFrom('place_day')
    .select(['provider_id as provider', 'region_id as region', 'vendor_id as vendor'])
    .select(sql<string>`day::text`.as('day'))
    .select(['watched_minutes as watchedMinutes', 'disturbed_minutes as disturbedMinutes'])
    .where('place_day.day', '>=', firstDay(clock.now()))
    .orderBy('place_day.day')
    .execute();
  const daysOf = Map.groupBy(days, key);
  return {
    places: offers
      .filter(offer => offer.active || states.has(key(offer)))
      .map(offer => ({
        region: { id: offer.region, name: offer.regionName },
        provider: offer.providerName,
        vendor: offer.vendorName,
        state: states.get(key(offer)) ?? 'unknown',
        days: (daysOf.get(key(offer)) ?? []).map(({ day, watchedMinutes, disturbedMinutes }) => ({
          day,
          watchedMinutes,
          disturbedMinutes,
        })),
      })),
  };
}
