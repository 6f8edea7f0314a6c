import { isLanguage, type Language, languageFor } from '@fixpoint/contract/languages.ts';
import type { SessionRef } from '../modules/account/index.ts';
import type { Caller } from './context.ts';
import type { Identify } from './mount.ts';
import { refuse } from './refusal.ts';

const REFRESH_SECONDS = 30 * 24 * 60 * 60;

/** Language of an Accept-Language header: the shop's own codes (`kh`) as well as BCP 47 tags (`km-KH`). */
function languageOf(header: string | undefined): Language {
  const wanted = (header ?? '').split(',').map(part => part.split(';')[0]!.trim());
  return wanted.find(isLanguage) ?? languageFor(wanted.filter(Boolean));
}

const bearer = (header: string | undefined): string | undefined =>
  /^Bearer (\S{1,400})$/i.exec(header ?? '')?.[1];

/**
 * Finds out who asks. The refresh token lives in a cookie that no script and no other site can use: `__Host-` and
 * Secure over https; browsers allow neither on plain http://localhost, so the plain name serves there (S18).
 */
export function createIdentify(
  sessionOf: (accessToken: string) => Promise<SessionRef | undefined>,
  secure: boolean,
): Identify {
  const name = secure ? '__Host-refresh' : 'refresh';
  return async (endpoint, request, reply) => {
    const header = (key: string) => request.headers[key] as string | undefined;
    const token = bearer(header('authorization'));
    const caller: Caller = {
      language: languageOf(header('accept-language')),
      proved: false,
      network: '',
      userAgent: header('user-agent'),
      refreshCookie: (request as { cookies?: Record<string, string | undefined> }).cookies?.[name],
      setRefreshCookie(value) {
        const options = { path: '/', httpOnly: true, sameSite: 'strict', secure } as const;
        if (value) reply.setCookie(name, value, { ...options, maxAge: REFRESH_SECONDS });
        else reply.clearCookie(name, options);
      },
    };
    if (endpoint.auth === 'visitor') return caller;
    if (endpoint.auth === 'link') return token ? { ...caller, linkToken: token } : refuse('tokenInvalid');
    const session = token && (await sessionOf(token));
    if (session) return { ...caller, ...session };
    return endpoint.auth === 'any' && !token ? caller : refuse('sessionExpired');
  };
}
