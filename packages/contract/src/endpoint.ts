import type { z } from 'zod';
import type { LimitName } from './limits.ts';

/**
 * Who may call: `visitor` anybody; `customer` a valid access token; `link` the bearer token of a mailed link;
 * `any` both — a customer when an access token is sent.
 */
export type Auth = 'visitor' | 'customer' | 'link' | 'any';

type EndpointShape = {
  method: 'GET' | 'POST';
  path: string;
  auth: Auth;
  summary: string;
  body?: z.ZodType;
  query?: z.ZodType;
  params?: z.ZodType;
  data: z.ZodType;
  /** Its limit, of the table in `limits.ts`. */
  limit?: LimitName;
  /** Wants a session that was begun or confirmed in the last 5 minutes, otherwise 8004 with `data.stepUp` (S16). */
  stepUp?: true;
  /**
   * A customer's call that works with the application's rights in the database, because it moves money or jobs, or looks
   * whether a place has room, and proves in another way whose they are. Without it a customer's call sees and writes his own rows alone.
   */
  rights?: 'application';
  /** The answer is the same for everybody who asks the same, and holds no secret: it is compressed, and that once. */
  public?: true;
  /**
   * May carry an `Idempotency-Key`: sent again with the same one, it is answered as it was the first time, and not done
   * again (S36). Who calls is the customer, or whoever has the `metadata` of the body.
   */
  once?: true;
  /** The answer also carries `token` beside `data` (login, purchase). */
  token?: true;
  /** Changes nothing although it is a POST: may be sent again when no answer came, as a GET may. */
  reads?: true;
};

/** Names one call of the shop. Server, client, tests and OpenAPI are all derived from it. */
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
