import { z } from 'zod';

/**
 * Where the refresh token goes: `cookie` = `__Host-` HttpOnly cookie and `refreshToken: ""` in the
 * body.
 */
export const refreshIn = z.enum(['body', 'cookie']).default('body');

/** A 6-digit code was emailed. `flow` identifies this request; the times are seconds. */
export const codeSent = z.object({ flow: z.string(), resendIn: z.int(), expiresIn: z.int() });
export const flow = z.string().max(100);

/** Tokens of a new or renewed session. */
export const session = z.object({ accessToken: z.string(), refreshToken: z.string() });

/**
 * Solved proof of work (`humanCheck` of the account calls). Required by signing up, and after HTTP
 * 429 with code 9905 and `data.humanCheck: true`: solve one of `data.work` units, and repeat the same
 * call with it after `Retry-After`.
 */
export const humanCheck = z.string().max(4000).optional();

/** Most units of work that one proof takes. */
const MOST_WORK = 8;
/** Units of work of a proof; one takes a laptop about a second. */
export const work = z.coerce.number().int().min(1).max(MOST_WORK);
