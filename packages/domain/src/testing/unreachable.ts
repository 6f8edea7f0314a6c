import type { Transitions } from '../kernel/machine.ts';

/**
 * States that no path from `start` reaches. Must be empty: an unreachable state in the table is a
 * mistake.
 */
export function unreachable<S extends string>(table: Transitions<S>, start: S): S[] {
  const seen = new Set<S>([start]);
  for (const state of seen) for (const next of table[state]) seen.add(next);
  return (Object.keys(table) as S[]).filter(state => !seen.has(state));
}
