import type { ErrorDetail, Link } from './wire.ts';

type Body = {
  name: string;
  message: string;
  debug_id: string;
  details?: ErrorDetail[];
  links: Link[];
};

/** An error answer of PayPal. */
export class PaypalRefusal extends Error {
  readonly status: number;
  readonly errorName: string;
  readonly details: ErrorDetail[];
  readonly links: Link[];
  constructor(
    status: number,
    name: string,
    message: string,
    details: ErrorDetail[] = [],
    links: Link[] = [],
  ) {
    super(message);
    this.status = status;
    this.errorName = name;
    this.details = details;
    this.links = links;
  }

  body(debugId: string): Body {
    return {
      name: this.errorName,
      message: this.message,
      debug_id: debugId,
      ...(this.details.length > 0 && { details: this.details }),
      links: this.links,
    };
  }
}

/** 422: well formed, but impossible. `links`: where the payer should go. */
export const impossible = (issue: string, description: string, links: Link[] = []): PaypalRefusal =>
  new PaypalRefusal(
    422,
    'UNPROCESSABLE_ENTITY',
    'The requested action could not be performed, semantically incorrect, or failed business validation.',
    [{ issue, description }],
    links,
  );

/** 400: a member of the body, by its JSON pointer, is missing, unknown or malformed. */
export const malformed = (details: { field: string; issue: string; description: string }[]): PaypalRefusal =>
  new PaypalRefusal(
    400,
    'INVALID_REQUEST',
    'Request is not well-formed, syntactically incorrect, or violates schema.',
    details.map(detail => ({ ...detail, location: 'body' })),
  );

export const notFound = (): PaypalRefusal =>
  new PaypalRefusal(404, 'RESOURCE_NOT_FOUND', 'The specified resource does not exist.', [
    {
      issue: 'INVALID_RESOURCE_ID',
      description: 'Specified resource ID does not exist. Please check the resource ID and try again.',
    },
  ]);

export const unauthorized = (): PaypalRefusal =>
  new PaypalRefusal(
    401,
    'AUTHENTICATION_FAILURE',
    'Authentication failed due to invalid authentication credentials or a missing Authorization header.',
  );

const faults = {
  403: ['NOT_AUTHORIZED', 'Authorization failed due to insufficient permissions.'],
  409: [
    'RESOURCE_CONFLICT',
    'The request failed because a previous call for the given resource is in progress.',
  ],
  429: ['RATE_LIMIT_REACHED', 'Too many requests. Blocked due to rate limiting.'],
  500: ['INTERNAL_SERVER_ERROR', 'An internal server error has occurred.'],
} as const;

/** Error of an injected fault. */
export function apiFault(status: keyof typeof faults): PaypalRefusal {
  const [name, message] = faults[status];
  return new PaypalRefusal(status, name, message);
}
