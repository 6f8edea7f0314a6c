import type { DesiredChanges, DesiredSet } from '@fixpoint/contract/agent.ts';

/** Applies changes to a set. @throws Error when they belong to another revision */
export function withChanges(
  set: DesiredSet | undefined,
  { base, gone, subscriptions, ...head }: DesiredChanges,
): DesiredSet {
  if (base !== set?.revision)
    throw new Error(`the changes are based on revision ${base}, not on ${set?.revision}`);
  const replaced = new Set([...gone, ...subscriptions.map(({ id }) => id)]);
  const rest = set.subscriptions.filter(({ id }) => !replaced.has(id));
  return { ...head, subscriptions: [...rest, ...subscriptions].sort((a, b) => a.slot - b.slot) };
}

/**
 * Whether the lease of the set has expired, so that the shop may let another host serve its
 * customers.
 * @param silentMs ms since the last answered report was sent
 */
export const isLeaseExpired = (set: DesiredSet, silentMs: number): boolean =>
  silentMs >= set.leaseSeconds * 1000;

/**
 * Returns the set without subscriptions. Its clients reconnect: this or another host may serve them
 * again.
 */
export const emptied = (set: DesiredSet): DesiredSet => ({
  ...set,
  subscriptions: [],
  moved: set.subscriptions.map(({ id }) => id),
});

/**
 * Returns the set without subscriptions past their paid time, also while the shop is unreachable
 * (K15).
 */
export const effective = (set: DesiredSet, now: Date): DesiredSet => ({
  ...set,
  subscriptions: set.subscriptions.filter(({ endsAt }) => !endsAt || Date.parse(endsAt) > now.getTime()),
});
