import type { StatusPage } from '@fixpoint/contract/status.ts';
import type { DayTone } from '@fixpoint/ui/day-strip.tsx';

/** How many days the page shows, today included. */
export const DAYS = 90;
const DAY_MS = 24 * 60 * 60_000;
/** Bangkok has no daylight saving time. */
const BANGKOK_MS = 7 * 60 * 60_000;

export type PlaceStatus = StatusPage['places'][number];

/** The last days in Bangkok, oldest first, as `2026-11-29`. */
export const lastDays = (now: Date): string[] =>
  Array.from({ length: DAYS }, (_, index) =>
    new Date(now.getTime() + BANGKOK_MS - (DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );

/** One mark per day: a day that nobody watched is none, not a good one. */
export function marksOf({ days }: PlaceStatus, now: Date): { key: string; tone: DayTone }[] {
  const known = new Map(days.map(day => [day.day, day]));
  return lastDays(now).map(key => {
    const day = known.get(key);
    if (!day) return { key, tone: 'none' };
    return { key, tone: day.disturbedMinutes > 0 ? 'bad' : 'good' };
  });
}

/**
 * Share of the watched minutes without a disturbance, 0 to 1; undefined where nobody watched. Rounded down to a tenth of a
 * per cent, so that a disturbance is never rounded away.
 */
export function undisturbedShare({ days }: PlaceStatus): number | undefined {
  const sum = (of: (day: PlaceStatus['days'][number]) => number) =>
    days.reduce((all, day) => all + of(day), 0);
  const [watched, disturbed] = [sum(day => day.watchedMinutes), sum(day => day.disturbedMinutes)];
  return watched === 0 ? undefined : Math.floor((1 - disturbed / watched) * 1000) / 1000;
}
