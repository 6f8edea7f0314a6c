import type { Subscription } from '../subscription/subscription.ts';

const DAY_MS = 24 * 60 * 60_000;
/**
 * Files of a subscription that expire within this time share one email: people who renew one device
 * renew several.
 */
const TOGETHER_MS = 7 * DAY_MS;

/**
 * The newest file of a device, its expiry, and when its owner is notified of it; null: already
 * notified.
 */
export type DeviceFile = { id: string; until: Date; notifyAt: Date | null };

/**
 * Whether a subscription, as it stands, still serves its devices at `at`: it is paid and will renew
 * or last until then.
 */
export const keepsServing = (s: Subscription, at: Date): boolean =>
  s.status === 'active' &&
  !s.suspended &&
  !(s.cancelAtPeriodEnd && (s.replaced || s.period === null || s.period.end <= at));

/** Whether the email about a file that expires at `from` also names one that expires at `until`. */
export const expiresWith = (from: Date, until: Date): boolean =>
  until >= from && until.getTime() < from.getTime() + TOGETHER_MS;

/**
 * Decides which files of a subscription's devices to report as expiring soon (K6).
 * @returns `notify`: the first expiry that an email is written about; `checks`: when each of
 *   `files` is checked again, where that changes. A subscription that is ending may be resumed or
 *   paid, so its valid files are checked daily.
 */
export function checkFileExpiry(
  s: Subscription,
  files: readonly DeviceFile[],
  now: Date,
): { notify?: Date; checks: { id: string; notifyAt: Date | null }[] } {
  const waiting = files.flatMap(({ notifyAt, ...file }) =>
    notifyAt ? [{ ...file, isDue: notifyAt <= now }] : [],
  );
  const ends = waiting.filter(({ isDue, until }) => isDue && until > now && keepsServing(s, until));
  const notify = ends.map(({ until }) => until).sort((a, b) => a.getTime() - b.getTime())[0];
  const checks = waiting.flatMap(({ id, until, isDue }): { id: string; notifyAt: Date | null }[] => {
    if (notify && expiresWith(notify, until)) return [{ id, notifyAt: null }];
    if (!isDue) return [];
    if (until <= now) return [{ id, notifyAt: null }];
    return keepsServing(s, until) ? [] : [{ id, notifyAt: new Date(now.getTime() + DAY_MS) }];
  });
  return { ...(notify && { notify }), checks };
}
