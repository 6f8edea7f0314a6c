/** Counts what is limited, for all nodes together. Fails with the database: then nothing that is limited goes on. */
export type Limits = {
  /**
   * Counts one more under a name.
   * @returns how many there are, and in how many seconds counting restarts
   */
  hit(name: string, seconds: number): Promise<{ count: number; endsIn: number }>;
  /** The same of several without counting, in their order; both 0 where nothing is counted. */
  read<Names extends readonly string[]>(
    ...names: Names
  ): Promise<{ [I in keyof Names]: { count: number; endsIn: number } }>;
  /**
   * Takes the next try at a secret, before it is compared: tries that come together cannot pass by the limit (S13).
   * A try that one of the counters refuses is counted by none.
   * @param counters whose tries these are; asked in this order
   * @param proved a proof of work came with it
   */
  claimTry(counters: readonly TryCounter[], proved: boolean): Promise<TryClaim>;
  /** Counting restarts: the secret was right. */
  forget(...names: string[]): Promise<void>;
  /** Deletes counters that have run out. */
  sweep(): Promise<void>;
};

/** `longest`: how many seconds a wrong try makes the next one wait at most. */
export type TryCounter = { name: string; longest: number };

/** `wait`: seconds until the next try is taken. */
export type TryClaim = 'taken' | 'proofWanted' | { wait: number };
