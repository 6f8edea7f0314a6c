import {
  ApiError,
  type ApiResponse,
  ArgumentsValidationError,
  Client,
  Environment,
  OrdersController,
  PaymentsController,
  TransactionSearchController,
  VaultController,
} from '@paypal/paypal-server-sdk';
import type { z } from 'zod';
import { NamedFault } from '../../kernel/refusal.ts';
import { createCircuitBreaker } from '../circuit-breaker.ts';
import type { PaypalSettings } from './settings.ts';

export type PaypalClient = {
  settings: PaypalSettings;
  orders: OrdersController;
  payments: PaymentsController;
  vault: VaultController;
  search: TransactionSearchController;
  /**
   * Calls that the library lacks.
   * @throws NamedFault('providerUnreachable'), PaypalRefused
   */
  get<S extends z.ZodType>(schema: S, path: string): Promise<z.output<S>>;
  post<S extends z.ZodType>(schema: S, path: string, body: object): Promise<z.output<S>>;
  /**
   * Scopes of the app.
   * @throws NamedFault('providerUnreachable'), PaypalRefused
   */
  scopes(): Promise<string[]>;
};

/** A call without an answer after this time has failed. */
const TIMEOUT_MS = 10_000;
/** Origin that the library calls. */
const LIBRARYS_ORIGIN = 'https://api-m.paypal.com/';

/**
 * PayPal through its official library, which has no setting for the origin: its transport is
 * redirected by an option that is declared unstable. Therefore the version is exact, and a test
 * verifies where calls go.
 */
export function openPaypal(settings: PaypalSettings): PaypalClient {
  const { apiOrigin, clientId, secret } = settings;
  const circuitBreaker = createCircuitBreaker();
  const send = (path: string, init: RequestInit): Promise<Response> =>
    circuitBreaker(() => fetch(`${apiOrigin}/${path}`, { ...init, redirect: 'error' }));
  const calls = (url: string, init: RequestInit): Promise<Response> => {
    if (!url.startsWith(LIBRARYS_ORIGIN)) throw new Error(`PayPal's library calls ${new URL(url).origin}`);
    return send(url.slice(LIBRARYS_ORIGIN.length), init);
  };
  const client = new Client({
    environment: Environment.Production,
    timeout: TIMEOUT_MS,
    clientCredentialsAuthCredentials: { oAuthClientId: clientId, oAuthClientSecret: secret },
    unstable_httpClientOptions: {
      adapter: 'fetch',
      env: { fetch: calls, Request: null, Response: null },
    },
  });
  return {
    settings,
    orders: new OrdersController(client),
    payments: new PaymentsController(client),
    vault: new VaultController(client),
    search: new TransactionSearchController(client),
    get: (schema, path) => callDirectly(client, send, schema, path),
    post: (schema, path, body) => callDirectly(client, send, schema, path, body),
    scopes: async () => ((await newToken(client)).scope ?? '').split(' '),
  };
}

/** An access token of the app, which every call carries. */
const newToken = ({ clientCredentialsAuthManager: tokens }: Client) =>
  tokens.updateToken().catch((error: unknown) => {
    // Wrong id or secret: no retry helps.
    if (error instanceof ApiError && error.statusCode === 401) throw new PaypalRefused(error);
    throw unreachable((error as Error).message, false);
  });

/** Reads, or creates something with a body. */
async function callDirectly<S extends z.ZodType>(
  client: Client,
  send: (path: string, init: RequestInit) => Promise<Response>,
  schema: S,
  path: string,
  body?: object,
): Promise<z.output<S>> {
  let answer: { status: number; text: string };
  const { accessToken } = await newToken(client);
  try {
    const asked = await send(path, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: {
        authorization: `Bearer ${accessToken}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    answer = { status: asked.status, text: await asked.text() };
  } catch (error) {
    throw unreachable((error as Error).message, false);
  }
  const { status, text } = answer;
  if (status >= 500 || status === 409 || status === 429) {
    throw unreachable(`PayPal answered ${status}`, status >= 500);
  }
  if (status !== 200 && status !== 201) throw new PaypalRefused({ statusCode: status, body: text });
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw unreachable((error as Error).message, false);
  }
}

/** PayPal refused a call. Contains its reason, and the debug id for its support. */
export class PaypalRefused extends Error {
  readonly status: number;
  readonly issue: string;
  /** Kind of the refusal; `issue` is more specific if there is more to say. */
  readonly kind: string | undefined;
  constructor(error: Pick<ApiError, 'statusCode' | 'body'>) {
    const { details, name, debug_id } = saidBy(error);
    const issue = details?.[0]?.issue ?? name ?? 'no reason';
    super(`PayPal refused with ${error.statusCode}: ${issue} (debug id ${debug_id ?? 'none'})`);
    this.status = error.statusCode;
    this.issue = issue;
    this.kind = name;
  }
}

/**
 * Maps refusals with one of these statuses, such as 404 for an unknown id, to 'unknown': they say
 * nothing about the money.
 */
export const unlessRefused = <T>(asked: Promise<T>, ...statuses: number[]): Promise<T | 'unknown'> =>
  asked.catch((error: unknown) => {
    if (error instanceof PaypalRefused && statuses.includes(error.status)) return 'unknown' as const;
    throw error;
  });

/** Parses the body of an error, which the library does for some answers only. */
function saidBy({ body }: Pick<ApiError, 'body'>): {
  name?: string;
  debug_id?: string;
  details?: { issue?: string }[];
} {
  try {
    return JSON.parse(String(body)) ?? {};
  } catch {
    return {};
  }
}

/**
 * Maps failures to the fault "provider unreachable": no answer, an invalid one, "not now", or a
 * fault of its own (`answered`). The library's own errors are not passed on, because they contain
 * the request with its token.
 * @throws PaypalRefused for refusals
 */
export async function reach<T>(call: Promise<ApiResponse<T>>): Promise<T> {
  try {
    return (await call).result;
  } catch (error) {
    if (error instanceof ArgumentsValidationError) throw error;
    if (!(error instanceof ApiError)) throw unreachable((error as Error).message, false);
    const { statusCode } = error;
    if (statusCode >= 500) throw unreachable(`PayPal answered ${statusCode}`, true);
    if (statusCode === 409 || statusCode === 429) throw unreachable(`PayPal answered ${statusCode}`, false);
    throw new PaypalRefused(error);
  }
}

export const unreachable = (why: string, answered: boolean): NamedFault =>
  new NamedFault('providerUnreachable', { cause: new Error(why), answered });
