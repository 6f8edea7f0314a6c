import type { Calls, Endpoint, Received, Returned } from '@fixpoint/contract/endpoint.ts';
import type { Language } from '@fixpoint/contract/languages.ts';
import type { TeamRole } from '@fixpoint/contract/team-role.ts';
import type { Refusal } from './refusal.ts';

/**
 * The session of an access token. `endsAt`: its expiry, unless it is used before. `ownBrowser`: it began in a browser that its
 * customer had used before, or was their first.
 */
export type SessionRef = {
  sessionId: string;
  /** Who is logged in. */
  userId: string;
  /** For whom they work in this session. */
  customerId: string;
  confirmedAt: Date;
  endsAt: Date;
  ownBrowser: boolean;
  /** What its user may do for the customer. */
  role: TeamRole;
};

/** The caller and their language, determined before the handler runs. */
export type Caller = {
  language: Language;
  /**
   * Id of the logged-in user, of the customer and of the session, for `customer` calls (and `any` calls with a
   * token).
   */
  userId?: string;
  customerId?: string;
  sessionId?: string;
  /** What the session's user may do for the customer. */
  role?: TeamRole;
  /** When this session's customer last confirmed who they are. */
  confirmedAt?: Date;
  /** Whether this session's browser is known as its customer's: what is done there needs no email. */
  ownBrowser?: boolean;
  /** Units of work that the call proved; 0 without a proof. */
  work: number;
  /** Daily hash of the client's network. */
  network: string;
  /**
   * Whether the call comes from an address or a prefix. The address itself is not exposed, so
   * nobody can store it (S85).
   */
  comesFrom(range: string): boolean;
  /** The User-Agent header. */
  userAgent: string | undefined;
  /**
   * Bearer token of an emailed link, for `link` calls; the module of the handler knows what it
   * opens.
   */
  linkToken?: string;
  /** Refresh token of the cookie, if the browser sent one. */
  refreshCookie?: string;
  /** Cookie of a browser that logged in or tried to buy before. */
  deviceCookie?: string;
  /** These set a cookie on the answer, or clear it (undefined). */
  setRefreshCookie(token: string | undefined): void;
  /** @param keptMs lifetime, if it differs from that of a log-in */
  setDeviceCookie(cookie: string | undefined, keptMs?: number): void;
  /** Makes the browser delete its data of the shop (S22). */
  clearSite(...kinds: ('cache' | 'cookies' | 'storage')[]): void;
};

/** A user, and the customer that they work for. */
export type Actor = { userId: string; customerId: string };
/** What decides how much of a customer's a call may see and change. */
export type CustomerCaller = Actor & { role: TeamRole };

/** `customer` calls always have a customer, because the router refuses others. */
type CallerOf<E extends Endpoint> = E['auth'] extends 'customer'
  ? Caller & CustomerCaller & { sessionId: string; confirmedAt: Date }
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

/** Handlers of one module's call table. A call without a handler answers 9900 with HTTP 501. */
export type Handlers<G extends Record<string, Endpoint>> = { [N in keyof G]?: Handler<G[N]> };
export type AllHandlers<C extends Calls> = { [M in keyof C]: Handlers<C[M]> };
