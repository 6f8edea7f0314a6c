import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id, instant } from '../schema.ts';

/** Checks in their order. The first failed one should be fixed first. */
const diagnosisChecks = ['paid', 'key', 'file', 'host', 'seen', 'places', 'clock', 'path'] as const;

/** Causes of verdicts other than good. */
const diagnosisCauses = [
  ...['notSetUp', 'ended', 'suspended', 'owed'],
  ...['noKey', 'settingUp'],
  ...['noFile', 'fileEnded', 'fileOutdated'],
  ...['hostSilent', 'noAnswer', 'hostMoving', 'serverDown'],
  ...['usedTwice', 'unknownKey', 'refused', 'unanswered', 'nothingSeen', 'justConnected'],
  'full',
  'clockOff',
  'pathOrClock',
] as const;

/** Result of a diagnosis. It is not stored. */
const diagnosis = z.object({
  checks: z.array(
    z.object({
      check: z.enum(diagnosisChecks),
      /** `note`: worth knowing, but not the fault. */
      verdict: z.enum(['good', 'note', 'bad', 'unknown']),
      cause: z.enum(diagnosisCauses).optional(),
      /** Devices concerned. */
      keyIds: z.array(id).optional(),
      /** Last report of the host. */
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
    role: 'member',
    reads: true,
    limit: 'diagnose',
    summary: 'Diagnose why the VPN does not work: a list of checks; asks the host what it sees right now',
    body: z.strictObject({
      id,
      /** Current time on the device that asks. */
      deviceTime: instant,
    }),
    data: diagnosis,
  }),
  restartServer: endpoint({
    method: 'POST',
    path: '/v1/subscription/restartServer',
    auth: 'customer',
    role: 'buyer',
    limit: 'restartServer',
    records: true,
    summary:
      'Restart the server process of a subscription; its devices reconnect by themselves. 9903 if its host does not answer',
    body: z.strictObject({ id }),
    data: z.object({ restarted: z.boolean() }),
  }),
};
