import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id, instant } from '../schema.ts';

/** What is looked at, in this order: whoever mends the first that is wrong need not read on. */
const diagnosisChecks = ['paid', 'key', 'file', 'host', 'seen', 'places', 'clock', 'path'] as const;

/** Why a check is not simply good. */
const diagnosisCauses = [
  ...['notSetUp', 'ended', 'suspended', 'owed'],
  'noKey',
  ...['noFile', 'fileEnded', 'fileOutdated'],
  ...['hostSilent', 'hostMoving', 'serverDown'],
  ...['unknownKey', 'refused', 'unanswered', 'nothingSeen'],
  'full',
  'clockOff',
  'pathOrClock',
] as const;

/** What keeps a subscription's VPN from working. Nothing of it is kept. */
const diagnosis = z.object({
  checks: z.array(
    z.object({
      check: z.enum(diagnosisChecks),
      /** `note`: worth knowing, and not what is wrong. */
      verdict: z.enum(['good', 'note', 'bad', 'unknown']),
      cause: z.enum(diagnosisCauses).optional(),
      /** Devices that it is about. */
      keyIds: z.array(id).optional(),
      /** The host was heard of last then. */
      since: instant.optional(),
    }),
  ),
});

/** Beyond the 46 calls of W48. */
export const diagnosisCalls = {
  diagnose: endpoint({
    method: 'POST',
    path: '/v1/subscription/diagnose',
    auth: 'customer',
    reads: true,
    limit: 'diagnose',
    summary:
      'Why the VPN does not work: what is looked at, in order; its host is asked what it sees just now',
    body: z.strictObject({
      id,
      /** The time as the device has it that asks. */
      deviceTime: instant,
    }),
    data: diagnosis,
  }),
  restartServer: endpoint({
    method: 'POST',
    path: '/v1/subscription/restartServer',
    auth: 'customer',
    limit: 'restartServer',
    summary: 'Restart the server process of a subscription; its devices come back by themselves',
    body: z.strictObject({ id }),
    data: z.object({ restarted: z.boolean() }),
  }),
};
