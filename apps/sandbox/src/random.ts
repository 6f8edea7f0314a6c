import { createHash } from 'node:crypto';

/** Draws numbers from 0 up to, but not, 1: the same ones in the same order for the same seed. */
export function createRandom(seed: string): () => number {
  let drawn = 0;
  return () => createHash('sha256').update(`${seed}:${drawn++}`).digest().readUInt32BE() / 2 ** 32;
}
