import { createHash } from 'node:crypto';

/** Seeded pseudo-random numbers from 0 to below 1: the same sequence for the same seed. */
export function createRandom(seed: string): () => number {
  let drawn = 0;
  return () => createHash('sha256').update(`${seed}:${drawn++}`).digest().readUInt32BE() / 2 ** 32;
}
