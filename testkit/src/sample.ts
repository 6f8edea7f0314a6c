import { createHash } from 'node:crypto';

/** The day of the run, or what SAMPLE says: `npm test` tells its tests. Without it, as for a single file, all is run. */
export const chosenBy = process.env.SAMPLE ?? 'all';

const DAY_MS = 24 * 60 * 60_000;
const digestOf = (by: string): Buffer => createHash('sha256').update(by).digest();
export const isDay = (by: string): boolean => /^\d{4}-\d\d-\d\d$/.test(by);
/** The day by its number; of what is no day, the number that it always has. */
export const numberOf = (by: string): number =>
  isDay(by) ? Date.parse(by) / DAY_MS : digestOf(by).readUInt32BE();

/** Of what is run in turn, so many days make a round: each long file is run once in it (`in-turn.ts`). */
export const ROUND_DAYS = 7;
/** One further each day, and one further from round to round: who is run on one day of each has another number each time. */
const turnOf = (by: string): number => (numberOf(by) % ROUND_DAYS) + Math.floor(numberOf(by) / ROUND_DAYS);

/**
 * Some of what is long and alike, in its order, spread over it: other ones each day and each round, so that all of it is run,
 * also within a file that has its turn once in a round, and the same ones wherever SAMPLE is the same. `SAMPLE=all npm test`
 * runs everything.
 */
export function sampled<T>(all: readonly T[], many: number, by = chosenBy): T[] {
  if (by === 'all') return [...all];
  const turn = turnOf(by) % all.length;
  return all.filter((_, index) => ((index + turn) * many) % all.length < many);
}

/**
 * Where chance begins in a test that throws dice, and how often it does: once with the seed of the day, or `many` times
 * where everything is run. The same SAMPLE is the same chance.
 */
export const sampledSeed = (many: number, by = chosenBy): { seed: number; runs: number } => ({
  seed: digestOf(by).readInt32BE(),
  runs: by === 'all' ? many : 1,
});
