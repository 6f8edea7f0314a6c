/** Lifetimes of tokens and confirmations (A4, S16, S19–S21). */
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
export const ACCESS_MS = 5 * MINUTE_MS;
export const IDLE_MS = 14 * DAY_MS;
export const ABSOLUTE_MS = 30 * DAY_MS;
/**
 * After a rotation the previous refresh token still gets an access token, because several tabs may
 * refresh at once.
 */
export const GRACE_MS = 10_000;
/**
 * A browser is recognised for this long after its last log-in. Longer than a session, so that users
 * benefit from it.
 */
export const DEVICE_COOKIE_MS = 180 * DAY_MS;
const CONFIRMED_MS = 5 * MINUTE_MS;

/**
 * Whether a user confirmed who they are recently enough for an irreversible action. Logging in
 * counts.
 */
export const isConfirmed = (confirmedAt: Date, now: Date): boolean =>
  now.getTime() - confirmedAt.getTime() <= CONFIRMED_MS;
