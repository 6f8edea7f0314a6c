import { bangkokDay } from '../kernel/bangkok.ts';

const MINUTE_MS = 60_000;
/** An email that follows another of its kind waits this long for more. */
export const COLLECT_MS = 10 * MINUTE_MS;
/** Nobody waits longer for what they have done themselves. */
const SITTING_MS = 60 * MINUTE_MS;
/** The hour in Bangkok at which a day's emails leave at the latest; what comes later leaves by midnight. */
const EVENING = 20;

/**
 * How long an email may wait for others of its kind. `sitting`: its reader has just done something and expects it, so the first
 * one leaves at once; `minutes`: it waits some minutes; `day`: nobody expects it at an hour, so it waits for what else is
 * expected on its day.
 */
export type Pace = 'sitting' | 'minutes' | 'day';

/** The emails of one kind to one customer. `firstAt`: of those that still wait; `lastAt`: of all lately. */
export type Waiting = { firstAt: Date | undefined; lastAt: Date | undefined };

const after = (at: Date, ms: number): Date => new Date(at.getTime() + ms);
const earlier = (a: Date, b: Date): Date => (a < b ? a : b);
const later = (a: Date, b: Date): Date => (a > b ? a : b);

/** When the waiting emails of a kind leave, now that another one has come. */
export function leavesAt(pace: Pace, now: Date, { firstAt, lastAt }: Waiting): Date {
  if (pace === 'minutes') return after(firstAt ?? now, COLLECT_MS);
  const isAlone = lastAt === undefined || after(lastAt, COLLECT_MS) <= now;
  if (pace === 'sitting' && isAlone) return now;
  const quiet = after(now, COLLECT_MS);
  return pace === 'day' ? quiet : earlier(quiet, after(firstAt ?? now, SITTING_MS));
}

/** The end of the time in which emails of a day wait for each other: the evening, or midnight for what comes after it. */
export function latestOf(firstAt: Date): Date {
  const evening = new Date(`${bangkokDay(firstAt)}T${EVENING}:00:00+07:00`);
  return firstAt < evening ? evening : after(evening, (24 - EVENING) * 60 * MINUTE_MS);
}

/**
 * When emails of a day that are due at `now` leave: now, or some minutes after the next one that is expected on their day.
 * @param expected when the customer's next renewal takes a step, which may send another; undefined: never
 */
export function leavesWith(now: Date, firstAt: Date, expected: Date | undefined): Date {
  const latest = latestOf(firstAt);
  if (!expected || now >= latest || expected >= latest) return now;
  return earlier(latest, after(later(expected, now), COLLECT_MS));
}
