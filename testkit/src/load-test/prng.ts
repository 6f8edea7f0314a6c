import { createRandom } from '@fixpoint/sandbox/random.ts';

/** Seeded PRNG: the same seed gives the same numbers in the same order. */
export type Prng = {
  /** True with probability `p`. */
  chance(p: number): boolean;
  /** A whole number from 0 up to, but excluding, `end`. */
  below(end: number): number;
  pick<T>(list: readonly T[]): T;
};

export function createPrng(seed: string): Prng {
  const random = createRandom(seed);
  const below = (end: number) => Math.floor(random() * end);
  return { chance: p => random() < p, below, pick: list => list[below(list.length)]! };
}
