import { createRandom } from '@fixpoint/sandbox/random.ts';

/** Chance by a seed: the same answers in the same order for the same seed. */
export type Prng = {
  /** Whether something happens that does with probability `p`. */
  chance(p: number): boolean;
  /** A whole number from 0 up to, but not, `end`. */
  below(end: number): number;
  pick<T>(list: readonly T[]): T;
};

export function createPrng(seed: string): Prng {
  const random = createRandom(seed);
  const below = (end: number) => Math.floor(random() * end);
  return { chance: p => random() < p, below, pick: list => list[below(list.length)]! };
}
