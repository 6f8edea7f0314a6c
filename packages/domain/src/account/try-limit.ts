/**
 * How long a wrong try at a secret of an account (password, code of the app) makes the next one wait (S13). Three are
 * free; then each costs a proof of work and more time, up to 40 seconds: at most 97 comparisons in an hour, wherever
 * they come from, and nobody is ever locked out for longer.
 */
export const FREE_TRIES = 3;
/** Counting begins anew this long after the first wrong try. */
export const TRIES_WINDOW_MS = 60 * 60_000;
const LONGEST_SECONDS = 40;

/**
 * @param wrong tries so far, this one included
 * @returns seconds until the next try is taken
 */
export const tryDelaySeconds = (wrong: number): number =>
  wrong < FREE_TRIES ? 0 : Math.min(LONGEST_SECONDS, 2 ** (wrong - FREE_TRIES));
