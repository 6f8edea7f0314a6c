import type { ErrorName } from '@fixpoint/contract/errors.ts';

/** A refusal by a rule: a value, not an exception. `mount` turns it into code and status. */
export type Refusal = { refusal: ErrorName; data?: unknown; retryAfterSeconds?: number };

export const refuse = (refusal: ErrorName, data?: unknown): Refusal =>
  data === undefined ? { refusal } : { refusal, data };

/** Refuses single fields of a form; the values are keys of the texts to show beside them. */
export const refuseFields = (
  fields: Record<string, string>,
  refusal: ErrorName = 'validationFailed',
): Refusal => refuse(refusal, { fields });

/** Requires a proof of so many units of work; the client solves one and repeats the call. */
export const wantProof = (work = 1): Refusal => ({
  refusal: 'tooManyRequests',
  data: { humanCheck: true, work },
  retryAfterSeconds: 1,
});

export const isRefusal = (value: unknown): value is Refusal =>
  typeof value === 'object' && value !== null && 'refusal' in value;

/**
 * A fault with a name in the catalogue (provider, database or host unreachable). Thrown by
 * adapters; any other error becomes 9900.
 */
export class NamedFault extends Error {
  readonly fault: ErrorName;
  /**
   * The other side answered with a fault of its own, and may answer the same question the same way
   * again.
   */
  readonly answered: boolean;
  constructor(fault: ErrorName, options: ErrorOptions & { answered?: boolean } = {}) {
    super(fault, options);
    this.fault = fault;
    this.answered = options.answered ?? false;
  }
}
