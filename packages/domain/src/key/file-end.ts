import type { Subscription } from '../subscription/subscription.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Files of one subscription that end within so long are told of by one email: whoever sets up a device sets up more. */
const TOGETHER_MS = 7 * DAY_MS;

/** The newest file of a device, until when it is valid, and when its owner is told that it ends; null: he was. */
export type DeviceFile = { id: string; until: Date; tellAt: Date | null };

/** Whether a subscription serves its devices beyond an instant, as things stand: it is paid and goes on then. */
export const goesOn = (s: Subscription, at: Date): boolean =>
  s.status === 'active' &&
  !s.suspended &&
  !(s.cancelAtPeriodEnd && (s.replaced || s.period === null || s.period.end <= at));

/** The files that the email about one that ends at `from` names as well. */
export const endsWith = (from: Date, until: Date): boolean =>
  until >= from && until.getTime() < from.getTime() + TOGETHER_MS;

/**
 * What is done about the files of a subscription's devices that end soon (K6).
 * @returns `tell`: the first end that an email is written about; `looks`: when each of `files` is looked at again, where
 *   that changes. What does not go on may be turned on again, or paid: it is looked at daily as long as its file is valid.
 */
export function lookAtFiles(
  s: Subscription,
  files: readonly DeviceFile[],
  now: Date,
): { tell?: Date; looks: { id: string; tellAt: Date | null }[] } {
  const waiting = files.flatMap(({ tellAt, ...file }) => (tellAt ? [{ ...file, isDue: tellAt <= now }] : []));
  const ends = waiting.filter(({ isDue, until }) => isDue && until > now && goesOn(s, until));
  const tell = ends.map(({ until }) => until).sort((a, b) => a.getTime() - b.getTime())[0];
  const looks = waiting.flatMap(({ id, until, isDue }): { id: string; tellAt: Date | null }[] => {
    if (tell && endsWith(tell, until)) return [{ id, tellAt: null }];
    if (!isDue) return [];
    if (until <= now) return [{ id, tellAt: null }];
    return goesOn(s, until) ? [] : [{ id, tellAt: new Date(now.getTime() + DAY_MS) }];
  });
  return { ...(tell && { tell }), looks };
}
