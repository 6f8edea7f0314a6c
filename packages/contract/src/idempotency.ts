import { z } from 'zod';

/**
 * Header that names one press of a button or one request of a program, so that it can be repeated
 * safely (S36).
 */
export const IDEMPOTENCY_KEY = 'idempotency-key';
export const idempotencyHeaders = z.object({
  [IDEMPOTENCY_KEY]: z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/)
    .optional()
    .describe(
      'A call repeated within 24 hours with the same key and body gets the first answer; with another body it is refused. ' +
        'Transient answers (401, 403, 429 and faults) are not stored: the call is executed again.',
    ),
});

/** Error of the header field if its key came with another body before. */
export const KEY_USED = 'form.request.changed';
