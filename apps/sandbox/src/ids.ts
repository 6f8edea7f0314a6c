import { createHash, randomBytes } from 'node:crypto';
import type { Store } from './store.ts';

/** Creates ids such as `pi_3Rk…`: the prefix, then `length` letters and digits. */
export type Ids = {
  next(prefix: string, length?: number): string;
  /** Restarts the sequence; the same seed gives the same ids in the same order. */
  reseed(seed?: string): void;
};

/** More ids than can be created between two saves. */
const GAP = 100_000;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * Draws ids from a saved seed and counter, so they never repeat across restarts. Without a given
 * seed it is random: a shop's database that outlives the sandbox's state must never meet the same
 * id again.
 */
export function createIds(store: Store): Ids {
  const rows = store.table<{ seed: string; counter: number }>('ids');
  const reseed = (seed = randomBytes(12).toString('hex')) => rows.put('ids', { seed, counter: 0 });
  const saved = rows.get('ids');
  // A crash may have lost the last counter values, but not the ids that the shop has.
  if (saved) rows.put('ids', { ...saved, counter: saved.counter + GAP });
  else reseed();
  return {
    reseed,
    next: (prefix, length = 24) => {
      const { seed, counter } = rows.get('ids')!;
      rows.put('ids', { seed, counter: counter + 1 });
      const digest = createHash('sha512').update(`${seed}:${counter}`).digest();
      let id = prefix;
      for (let i = 0; i < length; i++) id += ALPHABET[digest[i]! % ALPHABET.length];
      return id;
    },
  };
}
