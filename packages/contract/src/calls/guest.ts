import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { email, id, metadata } from '../schema.ts';
import { humanCheck } from './session.ts';

/** Seconds until the next email may be sent. */
const emailSent = z.object({ resendIn: z.int() });

/** Token of the emailed link of a notice. */
const ofNotice = z.strictObject({ token: z.string().min(1).max(100), humanCheck });
const notice = z.object({
  region: z.object({ id, name: z.string() }),
  /** Whether the owner of the address has confirmed it. */
  confirmed: z.boolean(),
});

/** Calls for buyers without an account who wait for an email, and for visitors who wait for a sold-out place. */
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
  askPlaceNotice: endpoint({
    method: 'POST',
    path: '/v1/guest/askPlaceNotice',
    auth: 'visitor',
    limit: 'askPlaceNotice',
    summary:
      'Email an address to confirm that its owner wants to be told when a sold-out region has a free one; the answer is the same for every address',
    body: z.strictObject({ regionId: id, email, humanCheck }),
    data: z.object({}),
  }),
  placeNotice: endpoint({
    method: 'POST',
    path: '/v1/guest/placeNotice',
    auth: 'visitor',
    limit: 'tryPlaceNotice',
    summary: 'What the owner of an emailed link waits for',
    reads: true,
    body: ofNotice,
    data: notice,
  }),
  confirmPlaceNotice: endpoint({
    method: 'POST',
    path: '/v1/guest/confirmPlaceNotice',
    auth: 'visitor',
    limit: 'tryPlaceNotice',
    summary: 'Confirm the address of a notice by its emailed link',
    body: ofNotice,
    data: notice,
  }),
  deletePlaceNotice: endpoint({
    method: 'POST',
    path: '/v1/guest/deletePlaceNotice',
    auth: 'visitor',
    limit: 'tryPlaceNotice',
    summary: 'Erase the address of a notice by its emailed link',
    body: ofNotice,
    data: z.object({}),
  }),
};
