/**
 * How long a wrong try at a secret of an account (password, code of the app) makes the next one wait (S13). Three are
 * free; then each costs a proof of work and twice the time. For the account, wherever tries come from, up to 40 seconds:
 * at most 97 comparisons in an hour, and nobody is ever locked out for longer. For one network at one account up to
 * 15 minutes: who goes on guessing there leaves the account's turns to its owner. So does a browser with the account's
 * device cookie, in a line of its own: a stolen one is good for at most 16 more comparisons in an hour.
 */
export const FREE_TRIES = 3;
/** Counting restarts this long after the first wrong try. */
export const TRIES_WINDOW_MS = 60 * 60_000;
export const LONGEST_WAIT = { account: 40, network: 15 * 60 } as const;

/**
 * @param wrong tries so far, this one included
 * @param longest seconds, of `LONGEST_WAIT`
 * @returns seconds until the next try is taken
 */
export const tryDelaySeconds = (wrong: number, longest: number): number =>
  wrong < FREE_TRIES ? 0 : Math.min(longest, 2 ** (wrong - FREE_TRIES));
