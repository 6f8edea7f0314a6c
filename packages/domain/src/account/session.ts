/** How long tokens and confirmations are good (A4, S16, S19–S21). */
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
export const ACCESS_MS = 5 * MINUTE_MS;
export const IDLE_MS = 14 * DAY_MS;
export const ABSOLUTE_MS = 30 * DAY_MS;
/** After a rotation the earlier refresh token still gets an access token: several tabs may have asked at once. */
export const GRACE_MS = 10_000;
/** A browser on which somebody logged in is known this long after his last log-in: longer than a session, so that he
 * finds it of use. */
export const DEVICE_COOKIE_MS = 180 * DAY_MS;
const CONFIRMED_MS = 5 * MINUTE_MS;

/** Whether a customer proved who he is recently enough for what cannot be undone. Logging in counts. */
export const isConfirmed = (confirmedAt: Date, now: Date): boolean =>
  now.getTime() - confirmedAt.getTime() <= CONFIRMED_MS;
