import type { z } from 'zod';
import type { LimitName } from './limits.ts';
import type { TeamRole } from './team-role.ts';

/**
 * Who may call. `visitor`: anybody; `customer`: with a valid access token; `link`: the bearer token
 * of an emailed link; `any`: a customer if an access token is sent, otherwise a visitor.
 */
export type Auth = 'visitor' | 'customer' | 'link' | 'any';

type EndpointShape = {
  method: 'GET' | 'POST';
  path: string;
  auth: Auth;
  /**
   * Least role of the session's user; others get 8002 before a row is read. Every `customer` call
   * declares one. An `any` call with one asks it of a session only.
   */
  role?: TeamRole;
  /**
   * A `customer` call about the log-in of the session's user: confined to the user's own rows and
   * limited by user, whichever customer the session is for.
   */
  of?: 'user';
  summary: string;
  body?: z.ZodType;
  query?: z.ZodType;
  params?: z.ZodType;
  data: z.ZodType;
  /** Its rate limit, a row of `limits.ts`. */
  limit?: LimitName;
  /**
   * Requires a session that was started or confirmed in the last 5 minutes, otherwise 8004 with
   * `data.stepUp` (S16).
   */
  stepUp?: true;
  /**
   * A customer's call that uses the application's database rights, because it moves money, adds
   * jobs or reads capacity. It must check ownership itself. Without it, row-level security confines
   * the call to the customer's own rows.
   */
  rights?: 'application';
  /**
   * The answer depends on the request alone and holds no secret, so it is cached with its
   * compressed form.
   */
  public?: true;
  /**
   * Accepts an `Idempotency-Key`: a repeat with the same key gets the first answer without being
   * executed again (S36). The caller is identified as the customer, or by the `metadata` in the
   * body.
   */
  once?: true;
  /**
   * Once done, it is written down for the owners of the customer: who, what and when. `itself`: by the call, because it is for
   * another customer than that of the session.
   */
  records?: true | 'itself';
  /**
   * Begins an order or a try to pay, with `card` only if the body names one: refused with 9904
   * during maintenance. What is with a bank already may finish.
   */
  buys?: 'always' | 'card';
  /** The answer also carries `token` beside `data` (login, purchase). */
  token?: true;
  /** A POST without effects: may be repeated like a GET. */
  reads?: true;
};

/** Declares one call of the shop. Server, client, tests and OpenAPI derive from it. */
export const endpoint = <const E extends EndpointShape>(e: E): E => e;

type In<S> = S extends z.ZodType ? z.input<S> : undefined;
type Out<S> = S extends z.ZodType ? z.output<S> : undefined;
type Present<T> = { [K in keyof T as T[K] extends undefined ? never : K]: T[K] };

/** What a caller sends, before parsing. */
export type Sent<E extends EndpointShape> = Present<{
  body: In<E['body']>;
  query: In<E['query']>;
  params: In<E['params']>;
}>;
/** What a handler gets, after parsing. */
export type Received<E extends EndpointShape> = Present<{
  body: Out<E['body']>;
  query: Out<E['query']>;
  params: Out<E['params']>;
}>;
/** What a caller reads. */
export type DataOf<E extends EndpointShape> = z.output<E['data']>;
/** What a handler returns. */
export type Returned<E extends EndpointShape> = z.input<E['data']>;

export type Endpoint = EndpointShape;
export type Calls = Record<string, Record<string, EndpointShape>>;

/** Answer of a client call: `data`, and `token` where the endpoint declares one. */
export type Answer<E extends EndpointShape> = E['token'] extends true
  ? { data: DataOf<E>; token: string }
  : DataOf<E>;
