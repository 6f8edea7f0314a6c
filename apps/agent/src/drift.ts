import type { Drift } from '@fixpoint/contract/agent.ts';

/**
 * Counts entries that exist and are not wanted (`more`) or are wanted and missing; empty when none
 * differ.
 */
export function driftOf(what: Drift['what'], found: Iterable<string>, wanted: Iterable<string>): Drift[] {
  const [is, desired] = [new Set(found), new Set(wanted)];
  const [more, missing] = [is.difference(desired).size, desired.difference(is).size];
  return more + missing > 0 ? [{ what, more, missing }] : [];
}
