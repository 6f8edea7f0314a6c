import { createHash } from 'node:crypto';

/** The day of the run, or what SAMPLE says: `npm test` tells its tests. Without it, as for a single file, all is run. */
const chosenBy = process.env.SAMPLE ?? 'all';

/**
 * Some of what is long and alike, in its order: other ones each day, so that all of it is run within some days, and the
 * same ones wherever SAMPLE is the same. `SAMPLE=all npm test` runs everything.
 */
export function sampled<T extends string>(all: readonly T[], many: number, by = chosenBy): T[] {
  if (by === 'all') return [...all];
  const rank = (one: T) => createHash('sha256').update(`${by} ${one}`).digest('hex');
  const chosen = new Set(all.toSorted((a, b) => rank(a).localeCompare(rank(b))).slice(0, many));
  return all.filter(one => chosen.has(one));
}
