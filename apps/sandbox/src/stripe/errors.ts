import type Stripe from 'stripe';

type PaymentErrorBody = Omit<Stripe.PaymentIntent.LastPaymentError, 'code' | 'type'>;

/** The `error` member of a refusal. Undefined members are omitted, as Stripe does. */
export type ErrorBody = PaymentErrorBody & {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
  code?: string;
};

/**
 * A refusal. `saved` tells whether an idempotency key replays it: Stripe saves results of started
 * work (declines, faults, wrong state) but not failed validation or conflicts.
 */
export class StripeRefusal extends Error {
  readonly status: number;
  readonly body: ErrorBody;
  readonly saved: boolean;

  constructor(status: number, body: ErrorBody, saved: boolean) {
    super(body.message);
    this.status = status;
    this.body = body;
    this.saved = saved;
  }
}

const docs = (code: string | undefined) =>
  code ? `https://docs.stripe.com/error-codes/${code.replaceAll('_', '-')}` : undefined;

/** 400 before any work: invalid or missing parameters. */
export function invalid(message: string, more: { param?: string; code?: string } = {}): StripeRefusal {
  return new StripeRefusal(
    400,
    { type: 'invalid_request_error', message, doc_url: docs(more.code), ...more },
    false,
  );
}

/** 400 because the object's state forbids it. */
export function unexpectedState(
  message: string,
  more: Pick<ErrorBody, 'code' | 'param' | 'payment_intent' | 'setup_intent' | 'charge'> = {},
): StripeRefusal {
  return new StripeRefusal(
    400,
    { type: 'invalid_request_error', message, doc_url: docs(more.code), ...more },
    true,
  );
}

/** 404 for an unknown id. */
export function missing(what: string, id: string, param = 'id'): StripeRefusal {
  const code = 'resource_missing';
  return new StripeRefusal(
    404,
    { type: 'invalid_request_error', code, doc_url: docs(code), message: `No such ${what}: '${id}'`, param },
    false,
  );
}

/** 402: declined by the bank or because of the card's data. */
export function cardRefusal(body: Omit<ErrorBody, 'type'>): StripeRefusal {
  return new StripeRefusal(402, { type: 'card_error', doc_url: docs(body.code), ...body }, true);
}

/** 400 or 409 about the idempotency key itself. */
export function idempotencyRefusal(status: 400 | 409, message: string): StripeRefusal {
  const code = status === 409 ? 'idempotency_key_in_use' : undefined;
  return new StripeRefusal(status, { type: 'idempotency_error', code, doc_url: docs(code), message }, false);
}

/** 401 or 403: no key, a wrong key, or a publishable key where the secret one is required. */
export function keyRefusal(status: 401 | 403, message: string, code?: string): StripeRefusal {
  return new StripeRefusal(status, { type: 'invalid_request_error', code, message }, false);
}

/** A restricted key without the right to a call. */
export const lacksRight = (key: string): StripeRefusal =>
  keyRefusal(
    403,
    `The provided key '${key.slice(0, 8)}${'*'.repeat(8)}${key.slice(-4)}' does not have the required permissions for this endpoint.`,
  );

/** A fault of the provider: 500, or a refusal that asks for a later retry. */
export function apiFault(status: 409 | 429 | 500): StripeRefusal {
  if (status === 500)
    return new StripeRefusal(500, { type: 'api_error', message: 'An unknown error occurred' }, true);
  if (status === 409) return unsaved(409, undefined, 'The request conflicts with another request.');
  return unsaved(
    429,
    'rate_limit',
    'Request rate limit exceeded. You can learn more about rate limits here https://docs.stripe.com/rate-limits.',
  );
}

/** 429 because another call or a process of Stripe uses the object. */
export const lockTimeout = (): StripeRefusal =>
  unsaved(
    429,
    'lock_timeout',
    'This object cannot be accessed right now because another API request or Stripe process is currently accessing it. If you see this error intermittently, retry the request. If you see this error frequently and are making multiple concurrent requests to a single object, make your requests serially or at a lower rate.',
  );

const unsaved = (status: number, code: string | undefined, message: string): StripeRefusal =>
  new StripeRefusal(
    status,
    { type: 'invalid_request_error', ...(code && { code }), doc_url: docs(code), message },
    false,
  );
