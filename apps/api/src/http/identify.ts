import { ABSOLUTE_MS, DEVICE_COOKIE_MS } from '@fixpoint/domain/account/session.ts';
import type { FastifyReply } from 'fastify';
import type { Caller, SessionRef } from '../kernel/caller.ts';
import { refuse } from '../kernel/refusal.ts';
import { isWithin } from './is-within.ts';
import { languageOf } from './language.ts';
import type { Identify } from './routes.ts';

const bearer = (header: string | undefined): string | undefined =>
  /^Bearer (\S{1,400})$/i.exec(header ?? '')?.[1];

/**
 * Identifies the caller. Refresh token and device cookie are inaccessible to scripts and other
 * sites: `__Host-` and Secure over https. Browsers allow neither on http://localhost, so plain
 * names are used there (S18).
 */
export function createIdentify(
  sessionOf: (accessToken: string) => Promise<SessionRef | undefined>,
  secure: boolean,
): Identify {
  const prefix = secure ? '__Host-' : '';
  const names = { refresh: `${prefix}refresh`, device: `${prefix}device` };
  const options = { path: '/', httpOnly: true, sameSite: 'strict', secure } as const;
  const setter =
    (reply: FastifyReply, name: string, lifetimeMs: number) =>
    (value: string | undefined, keptMs = lifetimeMs) => {
      if (value) reply.setCookie(name, value, { ...options, maxAge: keptMs / 1000 });
      else reply.clearCookie(name, options);
    };
  return async (endpoint, request, reply) => {
    const header = (key: string) => request.headers[key] as string | undefined;
    const token = bearer(header('authorization'));
    const { cookies = {} } = request as { cookies?: Record<string, string | undefined> };
    const caller: Caller = {
      language: languageOf(header('accept-language')),
      work: 0,
      network: '',
      comesFrom: range => isWithin(request.ip, range),
      userAgent: header('user-agent'),
      refreshCookie: cookies[names.refresh],
      deviceCookie: cookies[names.device],
      setRefreshCookie: setter(reply, names.refresh, ABSOLUTE_MS),
      setDeviceCookie: setter(reply, names.device, DEVICE_COOKIE_MS),
      clearSite: (...kinds) =>
        void reply.header('clear-site-data', kinds.map(kind => `"${kind}"`).join(', ')),
    };
    if (endpoint.auth === 'visitor') return caller;
    if (endpoint.auth === 'link') return token ? { ...caller, linkToken: token } : refuse('tokenInvalid');
    const session = token && (await sessionOf(token));
    if (session) return { ...caller, ...session };
    return endpoint.auth === 'any' && !token ? caller : refuse('sessionExpired');
  };
}
