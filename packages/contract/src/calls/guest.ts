import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { email, metadata } from '../schema.ts';

/** Seconds until the next email. */
const emailSent = z.object({ resendIn: z.int() });

/** For who bought without an account and waits for our email, beyond the 46 calls of W48. */
export const guestCalls = {
  changeEmail: endpoint({
    method: 'POST',
    path: '/v1/guest/changeEmail',
    auth: 'visitor',
    limit: 'emailBuyer',
    summary:
      'The buyer mistyped his address: mends it once, before the mailed link is used, and mails the link there',
    body: z.strictObject({ metadata, email }),
    data: emailSent,
  }),
  sendAgain: endpoint({
    method: 'POST',
    path: '/v1/guest/sendAgain',
    auth: 'visitor',
    limit: 'emailBuyer',
    summary: 'Mails the buyer once more what he needs to go on; the answer is the same for every address',
    body: z.strictObject({ metadata }),
    data: emailSent,
  }),
};
