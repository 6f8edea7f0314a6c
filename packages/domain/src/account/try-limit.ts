/**
 * Delay that a wrong try at a secret of an account (password, authenticator code) imposes on the
 * next one (S13). Three tries are free; each further one costs a proof of work and doubles the
 * delay. Per account it is capped at 40 seconds (97 comparisons an hour, nobody is locked out); per
 * network at one account, and per device cookie, at 15 minutes.
 */
export const FREE_TRIES = 3;
/** Counting restarts this long after the first wrong try. */
export const TRIES_WINDOW_MS = 60 * 60_000;
export const LONGEST_WAIT = { account: 40, network: 15 * 60 } as const;

/**
 * @param wrong wrong tries so far, including this one
 * @param longest cap in seconds, from `LONGEST_WAIT`
 * @returns seconds until the next try is accepted
 */
export const tryDelaySeconds = (wrong: number, longest: number): number =>
  wrong < FREE_TRIES ? 0 : Math.min(longest, 2 ** (wrong - FREE_TRIES));
