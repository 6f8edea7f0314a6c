import type { Drift } from '@fixpoint/contract/agent.ts';

/** What is there and shall not, and what shall be there and is not; nothing where both are the same. */
export function driftOf(what: Drift['what'], found: Iterable<string>, wanted: Iterable<string>): Drift[] {
  const [is, desired] = [new Set(found), new Set(wanted)];
  const [more, missing] = [is.difference(desired).size, desired.difference(is).size];
  return more + missing > 0 ? [{ what, more, missing }] : [];
}
