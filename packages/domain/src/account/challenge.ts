/**
 * One-time codes (A1, S06–S08): 6 digits, valid for 10 minutes, 5 tries. The next code may be sent
 * after 60 seconds, with at most 5 an hour and 10 a day per address and purpose.
 */
export const CODE_LIFETIME_MS = 10 * 60_000;
export const CODE_TRIES = 5;
export const RESEND_MS = 60_000;
const WINDOWS = [
  { ms: 60 * 60_000, most: 5 },
  { ms: 24 * 60 * 60_000, most: 10 },
] as const;

/**
 * A correct code is exchanged for a grant that can only set the password and expires after this
 * time (S10).
 */
export const GRANT_LIFETIME_MS = 10 * 60_000;

/**
 * Whether another code may be sent now.
 * @param sent when codes were sent to this address for this purpose, in any order; the last 24
 *   hours are enough
 */
export function decideSend(
  sent: readonly Date[],
  now: Date,
): { ok: true } | { ok: false; refusal: 'codeRequestsExceeded'; retryAfterSeconds: number } {
  const times = sent.map(at => at.getTime()).sort((a, b) => b - a);
  const waits = WINDOWS.map(({ ms, most }) => {
    // The oldest of the codes that fill the window has to leave it first.
    const oldest = times[most - 1];
    return oldest === undefined ? 0 : oldest + ms - now.getTime();
  });
  if (times[0] !== undefined) waits.push(times[0] + RESEND_MS - now.getTime());
  const wait = Math.max(0, ...waits);
  if (wait <= 0) return { ok: true };
  return { ok: false, refusal: 'codeRequestsExceeded', retryAfterSeconds: Math.ceil(wait / 1000) };
}

/** Whether a code can still be tried, which an expired, used or exhausted one cannot (7007). */
export const canTry = (challenge: { expiresAt: Date; tries: number; used: boolean }, now: Date): boolean =>
  !challenge.used && challenge.tries < CODE_TRIES && challenge.expiresAt > now;
