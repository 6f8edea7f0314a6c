import type { Calls, Endpoint, Received, Returned } from '@fixpoint/contract/endpoint.ts';
import type { Language } from '@fixpoint/contract/languages.ts';
import type { Refusal } from './refusal.ts';

/** The session behind an access token. `endsAt`: when it ends by itself, unless it is used before. */
export type SessionRef = { sessionId: string; customerId: string; confirmedAt: Date; endsAt: Date };

/** Who asks, and in which language. Found out once, before the handler runs. */
export type Caller = {
  language: Language;
  /** Id of the logged-in customer and of the session, for `customer` calls (and `any` calls with a token). */
  customerId?: string;
  sessionId?: string;
  /** When this session's customer last proved who he is. */
  confirmedAt?: Date;
  /** A proof of work came with the call. */
  proved: boolean;
  /** The network that the call comes from, under a name of today that tells nothing about it. */
  network: string;
  /** Whether the call comes from an address or a prefix. Where from is told nobody, so nobody can keep it (S85). */
  comesFrom(range: string): boolean;
  /** What the client says it is. */
  userAgent: string | undefined;
  /** Raw bearer token of a mailed link, for `link` calls: the handler's module knows what it opens. */
  linkToken?: string;
  /** Refresh token of the cookie, if the browser sent one. */
  refreshCookie?: string;
  /** Cookie of a browser on which somebody logged in or tried to buy before. */
  deviceCookie?: string;
  /** These set or (undefined) clear a cookie on the answer. */
  setRefreshCookie(token: string | undefined): void;
  /** @param keptMs unlike that of a log-in */
  setDeviceCookie(cookie: string | undefined, keptMs?: number): void;
  /** Has the browser drop what it keeps of the shop (S22). */
  clearSite(...kinds: ('cache' | 'cookies' | 'storage')[]): void;
};

/** `customer` calls always have a customer: the router refuses the others before. */
type CallerOf<E extends Endpoint> = E['auth'] extends 'customer'
  ? Caller & { customerId: string; sessionId: string; confirmedAt: Date }
  : E['auth'] extends 'link'
    ? Caller & { linkToken: string }
    : Caller;

type Success<E extends Endpoint> = E['token'] extends true
  ? { data: Returned<E>; token: string }
  : Returned<E>;

export type Handler<E extends Endpoint> = (
  input: Received<E>,
  caller: CallerOf<E>,
) => Promise<Success<E> | Refusal>;

/** Handlers of one module's call table. A call that is left out answers 9900 with HTTP 501. */
export type Handlers<G extends Record<string, Endpoint>> = { [N in keyof G]?: Handler<G[N]> };
export type AllHandlers<C extends Calls> = { [M in keyof C]: Handlers<C[M]> };
