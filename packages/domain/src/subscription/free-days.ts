import type { Subscription } from './subscription.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Most free days of one subscription within as many days: a typing error gives no year away. */
export const MOST_FREE_DAYS = 31;

/** A gift before: `at` when, and how many days. */
export type FreeDays = { at: Date; days: number };

/**
 * Why a subscription is given no free days. `repeated`: it was given as many less than a day ago, by a
 * command that was run twice. `ceiling`: it would have had too many lately.
 */
export type NoFreeDays =
  | 'notStarted'
  | 'ended'
  | 'pastDue'
  | 'suspended'
  | 'replaced'
  | 'repeated'
  | 'ceiling';

/** Whether a subscription is given free days: it runs, and nothing is past due. Undefined: yes. */
export function refusesFreeDays(
  { status, period, suspended, replaced }: Pick<Subscription, 'status' | 'period' | 'suspended' | 'replaced'>,
  days: number,
  given: readonly FreeDays[],
  now: Date,
): NoFreeDays | undefined {
  if (status === 'expired') return 'ended';
  if (status === 'provisioning' || !period) return 'notStarted';
  // Its days begin with the end of a period that is over: the next one is paid for first.
  if (status === 'pastDue' || period.end <= now) return 'pastDue';
  if (suspended) return 'suspended';
  if (replaced) return 'replaced';
  const since = (ms: number) => given.filter(({ at }) => at.getTime() > now.getTime() - ms);
  if (since(DAY_MS).some(gift => gift.days === days)) return 'repeated';
  const lately = since(MOST_FREE_DAYS * DAY_MS).reduce((sum, gift) => sum + gift.days, 0);
  return lately + days > MOST_FREE_DAYS ? 'ceiling' : undefined;
}

/** The end of a period with free days, from which all later periods count. It keeps its hour. */
export const withFreeDays = (end: Date, days: number): Date => new Date(end.getTime() + days * DAY_MS);
