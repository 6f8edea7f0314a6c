import { wayBackPath } from '@fixpoint/contract/way-back.ts';
import {
  ApiError,
  type ApiResponse,
  ArgumentsValidationError,
  Client,
  Environment,
  OrdersController,
  PaymentsController,
  VaultController,
} from '@paypal/paypal-server-sdk';
import type { Clock } from '../../ports/clock.ts';
import { NamedFault } from '../../refusal.ts';

export type PaypalSettings = {
  clientId: string;
  secret: string;
  /** Our webhook, as PayPal names it: part of what its deliveries are signed over. */
  webhookId: string;
  apiOrigin: string;
  /** A PEM file of authorities besides the usual ones, whose certificates may sign deliveries. */
  authorityFile: string | undefined;
  /** Buyers are asked whether they may be charged again. */
  keepsAccounts: boolean;
  brandName: string;
  /** Where a buyer comes back to, having agreed or not. PayPal adds what it wants to the query. */
  returnUrl: string;
  cancelUrl: string;
  clock: Clock;
};
export type PaypalClient = {
  settings: PaypalSettings;
  orders: OrdersController;
  payments: PaymentsController;
  vault: VaultController;
};

/** How the environment says that PayPal is reached; undefined when the shop does without. */
export const paypalSettings = (
  env: {
    PAYPAL_CLIENT_ID?: string | undefined;
    PAYPAL_SECRET?: string | undefined;
    PAYPAL_WEBHOOK_ID?: string | undefined;
    PAYPAL_API_ORIGIN: string;
    PAYPAL_CERT_CA_FILE?: string | undefined;
    PAYPAL_RECURRING: 'vault' | 'none';
    PUBLIC_URL: string;
    BRAND_NAME: string;
  },
  clock: Clock,
): PaypalSettings | undefined =>
  env.PAYPAL_CLIENT_ID && env.PAYPAL_SECRET && env.PAYPAL_WEBHOOK_ID
    ? {
        clientId: env.PAYPAL_CLIENT_ID,
        secret: env.PAYPAL_SECRET,
        webhookId: env.PAYPAL_WEBHOOK_ID,
        apiOrigin: env.PAYPAL_API_ORIGIN,
        authorityFile: env.PAYPAL_CERT_CA_FILE,
        keepsAccounts: env.PAYPAL_RECURRING === 'vault',
        brandName: env.BRAND_NAME,
        returnUrl: `${env.PUBLIC_URL}${wayBackPath('agreed')}`,
        cancelUrl: `${env.PUBLIC_URL}${wayBackPath('cancelled')}`,
        clock,
      }
    : undefined;

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
  const calls = (url: string, init: RequestInit): Promise<Response> => {
    if (!url.startsWith(LIBRARYS_ORIGIN)) throw new Error(`PayPal's library calls ${new URL(url).origin}`);
    const address = `${apiOrigin}/${url.slice(LIBRARYS_ORIGIN.length)}`;
    return fetch(address, { ...init, redirect: 'error' });
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
  };
}

/** PayPal refused a call: its word for why, and the number under which its staff finds it. */
export class PaypalRefused extends Error {
  readonly status: number;
  readonly issue: string;
  constructor(error: ApiError) {
    const { details, name, debug_id } = saidBy(error);
    const issue = details?.[0]?.issue ?? name ?? 'no reason';
    super(`PayPal refused with ${error.statusCode}: ${issue} (debug id ${debug_id ?? 'none'})`);
    this.status = error.statusCode;
    this.issue = issue;
  }
}

/** What its body says; the library reads it for some answers only. */
function saidBy({ body }: ApiError): { name?: string; debug_id?: string; details?: { issue?: string }[] } {
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
