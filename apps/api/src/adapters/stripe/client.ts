import Stripe from 'stripe';
import { NamedFault } from '../../kernel/refusal.ts';
import type { Clock } from '../../ports/clock.ts';
import {
  type AttemptRef,
  nothingMade,
  type Reported,
  UnknownGatewayCustomer,
} from '../../ports/payment-gateway.ts';
import { createCircuitBreaker } from '../circuit-breaker.ts';
import { paced } from './pace.ts';

export type StripeSettings = {
  secret: string;
  /** One, or two during a rotation. */
  webhookSecrets: string[];
  host: string;
  port: number;
  protocol: 'http' | 'https';
  /** Maximum calls per second of each kind. */
  callsPerSecond: number;
  clock: Clock;
};
export type StripeClient = { stripe: Stripe; settings: StripeSettings };

/** Settings of Stripe from the environment. */
export const stripeSettings = (
  env: {
    STRIPE_SECRET: string;
    STRIPE_WEBHOOK_SECRETS: string[];
    STRIPE_API_HOST: string;
    STRIPE_API_PORT: number;
    STRIPE_API_PROTOCOL: 'http' | 'https';
    STRIPE_CALLS_PER_SECOND: number;
  },
  clock: Clock,
): StripeSettings => ({
  secret: env.STRIPE_SECRET,
  webhookSecrets: env.STRIPE_WEBHOOK_SECRETS,
  host: env.STRIPE_API_HOST,
  port: env.STRIPE_API_PORT,
  protocol: env.STRIPE_API_PROTOCOL,
  callsPerSecond: env.STRIPE_CALLS_PER_SECOND,
  clock,
});

/** A call without an answer after this time has failed. */
const TIMEOUT_MS = 10_000;

/** Stripe through its official SDK. Only origin and keys differ from the sandbox. */
export const openStripe = (settings: StripeSettings): StripeClient => ({
  settings,
  stripe: new Stripe(settings.secret, {
    host: settings.host,
    port: settings.port,
    protocol: settings.protocol,
    maxNetworkRetries: 1,
    timeout: TIMEOUT_MS,
    telemetry: false,
    httpClient: paced(withCircuitBreaker(Stripe.createNodeHttpClient()), settings.callsPerSecond),
  }),
});

function withCircuitBreaker(client: Stripe.HttpClient): Stripe.HttpClient {
  const circuitBreaker = createCircuitBreaker();
  const send = client.makeRequest.bind(client);
  client.makeRequest = (...call) => circuitBreaker(() => send(...call));
  return client;
}

/**
 * Maps failures to the fault "provider unreachable": no answer, an invalid one, "not now".
 * `answered`: a fault of its own (5xx), which Stripe repeats for the same idempotency key, or a key
 * that was used for another call (400). A call with the same key in progress (409) does not count.
 * Refusals of our own mistakes stay as they are.
 */
export async function reach<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    const { StripeAPIError, StripeConnectionError, StripeRateLimitError, StripeIdempotencyError } =
      Stripe.errors;
    const absent = [StripeAPIError, StripeConnectionError, StripeRateLimitError].some(
      kind => error instanceof kind,
    );
    const used = error instanceof StripeIdempotencyError && error.statusCode === 400;
    if (!absent && !used) throw error;
    const status = (error as Stripe.errors.StripeError).statusCode ?? 0;
    throw new NamedFault('providerUnreachable', { cause: error, answered: used || status >= 500 });
  }
}

/** Undefined if Stripe does not know the id. */
export const unlessUnknown = <T>(asked: Promise<T>): Promise<T | undefined> =>
  asked.catch((error: unknown) => {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing')
      return undefined;
    throw error;
  });

/** The missing or detached object of a payment, in Stripe's terms. */
export function missingIn(error: unknown): 'customer' | 'payment_method' | undefined {
  if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) return undefined;
  const { code, param } = error;
  if (code !== 'resource_missing' && code !== 'payment_method_unexpected_state') return undefined;
  return param === 'customer' || param === 'payment_method' ? param : undefined;
}

/** A call for a gateway customer. @throws UnknownGatewayCustomer */
export const asPayer = <T>(call: Promise<T>): Promise<T> =>
  reach(call).catch((error: unknown) => {
    if (missingIn(error) === 'customer') throw new UnknownGatewayCustomer({ cause: error });
    throw error;
  });

/** Field that the payer can change, by Stripe's error code (docs.stripe.com/error-codes). */
const FIELDS: Readonly<Record<string, 'email' | 'paymentMethod'>> = {
  amount_too_small: 'paymentMethod',
  amount_too_large: 'paymentMethod',
  email_invalid: 'email',
};

/**
 * Reports a payment that Stripe refuses to create (400). A conflict of idempotency keys is no such
 * refusal, because its first use may have created a payment.
 */
export function notMade(attempt: AttemptRef, error: unknown): Reported {
  const { StripeInvalidRequestError } = Stripe.errors;
  const isFinal = error instanceof StripeInvalidRequestError && error.statusCode === 400;
  if (!isFinal || error.payment_intent) throw error;
  const { code = 'invalid_request' } = error;
  return {
    ...nothingMade(attempt),
    notMade: { field: FIELDS[code], cause: error },
    // An amount that no card pays counts as a decline (X24); a mistake of ours does not (B1).
    ...(attempt.savedRef && FIELDS[code] && { decline: code }),
  };
}
