import type { DesiredChanges, DesiredSet } from '@fixpoint/contract/agent.ts';

/** The set after changes of it. @throws Error when they are changes of another one */
export function withChanges(
  set: DesiredSet | undefined,
  { base, gone, subscriptions, ...head }: DesiredChanges,
): DesiredSet {
  if (base !== set?.revision) throw new Error(`changes of revision ${base}, not of ${set?.revision}`);
  const replaced = new Set([...gone, ...subscriptions.map(({ id }) => id)]);
  const rest = set.subscriptions.filter(({ id }) => !replaced.has(id));
  return { ...head, subscriptions: [...rest, ...subscriptions].sort((a, b) => a.slot - b.slot) };
}

/**
 * Whether the set is too old: the shop has not heard of this host for so long, and may let another one serve its customers
 *.
 * @param silentMs how long ago the last report that the shop has answered was sent
 */
export const isStale = (set: DesiredSet, silentMs: number): boolean => silentMs >= set.leaseSeconds * 1000;

/** The set with nothing in it: its clients try again, for another host may serve them, or this one again. */
export const emptied = (set: DesiredSet): DesiredSet => ({
  ...set,
  subscriptions: [],
  moved: set.subscriptions.map(({ id }) => id),
});

/** What of a set is in force: without what is paid no more, whether the shop can say so or not (K15). */
export const effective = (set: DesiredSet, now: Date): DesiredSet => ({
  ...set,
  subscriptions: set.subscriptions.filter(({ endsAt }) => !endsAt || Date.parse(endsAt) > now.getTime()),
});
