/**
 * Counters of rate limits, shared by all nodes. Fails together with the database; then no limited
 * call is served.
 */
export type Limits = {
  /**
   * Increments a counter.
   * @returns its value, and the seconds until it restarts
   */
  hit(name: string, seconds: number): Promise<{ count: number; endsIn: number }>;
  /** Reads several counters in order; both values are 0 where nothing is counted. */
  read<Names extends readonly string[]>(
    ...names: Names
  ): Promise<{ [I in keyof Names]: { count: number; endsIn: number } }>;
  /**
   * Claims the next try at a secret before it is compared, so that concurrent tries cannot bypass
   * the limit (S13). A try that one counter refuses is counted by none.
   * @param counters counters of the try, in this order
   * @param proved whether it carries a proof of work
   */
  claimTry(counters: readonly TryCounter[], proved: boolean): Promise<TryClaim>;
  /** Resets counters, because the secret was right. */
  forget(...names: string[]): Promise<void>;
  /** Takes one hit of each counter back, because what was counted did not happen. */
  release(...names: string[]): Promise<void>;
  /** Deletes expired counters. */
  sweep(): Promise<void>;
};

/** `longest`: maximum delay after a wrong try, in seconds. */
export type TryCounter = { name: string; longest: number };

/** `wait`: seconds until the next try is accepted. */
export type TryClaim = 'taken' | 'proofWanted' | { wait: number };
