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
   * Asks what the library has no call for.
   * @throws NamedFault('providerUnreachable'), PaypalRefused
   */
  get<S extends z.ZodType>(schema: S, path: string): Promise<z.output<S>>;
  /**
   * What the app may do, as PayPal names it.
   * @throws NamedFault('providerUnreachable'), PaypalRefused
   */
  scopes(): Promise<string[]>;
};

/** No answer after this long is no answer. */
const TIMEOUT_MS = 10_000;
/** Where the library calls. */
const LIBRARYS_ORIGIN = 'https://api-m.paypal.com/';

/**
 * PayPal through its official library. That has no setting for an address: its transport is told to fetch from ours, the
 * one way that works, by an option that is called unstable. So the version is exact, and a test sees where calls go.
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
    get: (schema, path) => getByHand(client, send, schema, path),
    scopes: async () => ((await newToken(client)).scope ?? '').split(' '),
  };
}

/** A token of the app, which every call carries. */
const newToken = ({ clientCredentialsAuthManager: tokens }: Client) =>
  tokens.updateToken().catch((error: unknown) => {
    // Id and secret are of nobody: that no later try mends.
    if (error instanceof ApiError && error.statusCode === 401) throw new PaypalRefused(error);
    throw unreachable((error as Error).message, false);
  });

async function getByHand<S extends z.ZodType>(
  client: Client,
  send: (path: string, init: RequestInit) => Promise<Response>,
  schema: S,
  path: string,
): Promise<z.output<S>> {
  let answer: { status: number; text: string };
  const { accessToken } = await newToken(client);
  try {
    const asked = await send(path, {
      headers: { authorization: `Bearer ${accessToken}` },
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
  if (status !== 200) throw new PaypalRefused({ statusCode: status, body: text });
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw unreachable((error as Error).message, false);
  }
}

/** PayPal refused a call: its word for why, and the number under which its staff finds it. */
export class PaypalRefused extends Error {
  readonly status: number;
  readonly issue: string;
  /** What kind of refusal it is; `issue` says more, where there is more to say. */
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
 * What PayPal refuses by one of these answers, such as 404 for a name that it does not know (any more), says nothing of the
 * money.
 */
export const unlessRefused = <T>(asked: Promise<T>, ...statuses: number[]): Promise<T | 'unknown'> =>
  asked.catch((error: unknown) => {
    if (error instanceof PaypalRefused && statuses.includes(error.status)) return 'unknown' as const;
    throw error;
  });

/** What its body says; the library reads it for some answers only. */
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
 * Turns a provider that cannot be reached into the fault of that name: no answer, one that cannot be read, "not now", a
 * fault of its own (`answered`). The library's own errors go no further: they hold the request with its token.
 * @throws PaypalRefused what it refuses
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
