import { z } from 'zod';

/** Names one press of a button, or one try of a program: whoever is not sure that it arrived sends it again (S36). */
export const IDEMPOTENCY_KEY = 'idempotency-key';
export const idempotencyHeaders = z.object({
  [IDEMPOTENCY_KEY]: z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/)
    .optional()
    .describe(
      'Sent again within 24 hours with the same key and body, a call is answered as it was the first time; with another ' +
        'body it is refused. What can pass — 401, 403, 429 and faults — is no answer: the call is done again.',
    ),
});

/** Beside the header's name, where its key came with another body before. */
export const KEY_USED = 'form.request.changed';
