import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { email, metadata } from '../schema.ts';
import { humanCheck } from './session.ts';

/** Seconds until the next email may be sent. */
const emailSent = z.object({ resendIn: z.int() });

/** Calls for buyers without an account who wait for an email. */
export const guestCalls = {
  changeEmail: endpoint({
    method: 'POST',
    path: '/v1/guest/changeEmail',
    auth: 'visitor',
    limit: 'emailBuyer',
    summary:
      'Correct a mistyped address once, before the emailed link is used, and email the link to the new one',
    body: z.strictObject({ metadata, email, humanCheck }),
    data: emailSent,
  }),
  sendAgain: endpoint({
    method: 'POST',
    path: '/v1/guest/sendAgain',
    auth: 'visitor',
    limit: 'emailBuyer',
    summary: 'Email the buyer again what they need to continue; the answer is the same for every address',
    body: z.strictObject({ metadata, humanCheck }),
    data: emailSent,
  }),
};
