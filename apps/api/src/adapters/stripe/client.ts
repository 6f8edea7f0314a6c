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
  /** One or two (rotation). */
  webhookSecrets: string[];
  host: string;
  port: number;
  protocol: 'http' | 'https';
  /** Of each kind, at most. */
  callsPerSecond: number;
  clock: Clock;
};
export type StripeClient = { stripe: Stripe; settings: StripeSettings };

/** How the environment says that Stripe is reached. */
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

/** No answer after this long is no answer: nothing else waits for one payment's provider. */
const TIMEOUT_MS = 10_000;

/** Stripe through its official SDK. Only base address and keys differ from the sandbox. */
export const openStripe = (settings: StripeSettings): StripeClient => ({
  settings,
  stripe: new Stripe(settings.secret, {
    host: settings.host,
    port: settings.port,
    protocol: settings.protocol,
    maxNetworkRetries: 1,
    timeout: TIMEOUT_MS,
    telemetry: false,
    httpClient: paced(patient(Stripe.createNodeHttpClient()), settings.callsPerSecond),
  }),
});

function patient(client: Stripe.HttpClient): Stripe.HttpClient {
  const circuitBreaker = createCircuitBreaker();
  const send = client.makeRequest.bind(client);
  client.makeRequest = (...call) => circuitBreaker(() => send(...call));
  return client;
}

/**
 * Turns a provider that cannot be reached into the fault of that name: no answer, one that cannot be read, "not now".
 * `answered` is a fault of its own (5xx), which it repeats for the key of the call, or that the key was used for another
 * call (400), as the card that it names was saved again since; a call with that key that is still under way (409) is none.
 * What it refuses as our own mistake stays what it is.
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

/** A name that Stripe does not know. */
export const unlessUnknown = <T>(asked: Promise<T>): Promise<T | undefined> =>
  asked.catch((error: unknown) => {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing')
      return undefined;
    throw error;
  });

/** Whom or what something should be paid by is not there, or nobody's any more; as Stripe calls what is missing. */
export function missingIn(error: unknown): 'customer' | 'payment_method' | undefined {
  if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) return undefined;
  const { code, param } = error;
  if (code !== 'resource_missing' && code !== 'payment_method_unexpected_state') return undefined;
  return param === 'customer' || param === 'payment_method' ? param : undefined;
}

/** A call that names a payer. @throws UnknownGatewayCustomer */
export const asPayer = <T>(call: Promise<T>): Promise<T> =>
  reach(call).catch((error: unknown) => {
    if (missingIn(error) === 'customer') throw new UnknownGatewayCustomer({ cause: error });
    throw error;
  });

/** What its payer can choose otherwise, by Stripe's word for what it does not take (docs.stripe.com/error-codes). */
const FIELDS: Readonly<Record<string, 'email' | 'paymentMethod'>> = {
  amount_too_small: 'paymentMethod',
  amount_too_large: 'paymentMethod',
  email_invalid: 'email',
};

/**
 * A payment that Stripe refuses to make as it is asked for (400): nothing is there, and nothing will be. A key that came with
 * another request is no such refusal, since what it was first used for may be there.
 */
export function notMade(attempt: AttemptRef, error: unknown): Reported {
  const { StripeInvalidRequestError } = Stripe.errors;
  const isFinal = error instanceof StripeInvalidRequestError && error.statusCode === 400;
  if (!isFinal || error.payment_intent) throw error;
  const { code = 'invalid_request' } = error;
  return {
    ...nothingMade(attempt),
    notMade: { field: FIELDS[code], cause: error },
    // A rest that no card takes is refused like by its bank (X24). What is ours to mend is no refusal of anybody's card (B1).
    ...(attempt.savedRef && FIELDS[code] && { decline: code }),
  };
}
