import { z } from 'zod';

/** Where the refresh token goes: `cookie` = `__Host-` HttpOnly cookie and `refreshToken: ""` in the body. */
export const refreshIn = z.enum(['body', 'cookie']).default('body');

/** The tokens of a session that begins or goes on. */
export const session = z.object({ accessToken: z.string(), refreshToken: z.string() });

/**
 * Solved proof of work (`humanCheck` of the account calls). Wanted by signing up, and when a call answers HTTP 429,
 * code 9905 and `data.humanCheck: true`: the same call is then sent again with it, after `Retry-After` where that is
 * given.
 */
export const humanCheck = z.string().max(4000).optional();
