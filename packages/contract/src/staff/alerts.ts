import { z } from 'zod';
import { instant } from '../schema.ts';
import { operation, shown } from './operation.ts';

const subject = shown(z.string().min(1).max(200), 'SUBJECT');

export const alertOperations = {
  list: operation({
    role: 'viewer',
    kind: 'reads',
    reason: 'none',
    summary: 'Lists the open alerts, each with its remedy. Exits with 1 when one is open.',
    input: z.strictObject({}),
    data: z.object({
      alerts: z.array(
        z.object({
          kind: z.string(),
          severity: z.enum(['critical', 'warning', 'notice']),
          subject: z.string(),
          since: instant,
          lastSeen: instant,
          times: z.int(),
          facts: z.record(z.string(), z.unknown()),
          summary: z.string(),
          remedy: z.string(),
        }),
      ),
      /** Kinds with more open alerts than are listed. */
      more: z.array(z.object({ kind: z.string(), count: z.int() })),
    }),
  }),
  test: operation({
    role: 'technician',
    kind: 'changes',
    reason: 'none',
    steps: true,
    summary:
      'Sends a message to each channel that is set up, or to one, and prints the result for each. Exits with 1 when one fails.',
    input: z.strictObject({
      channel: shown(
        z.enum(['email', 'webhook', 'ntfy', 'slack'], {
          error: ({ input }) => `${input} is not a channel: email, webhook, ntfy, slack`,
        }),
        'CHANNEL',
      ).optional(),
    }),
    positional: ['channel'],
    data: z.object({
      channels: z.array(z.object({ channel: z.string(), error: z.string().nullable() })),
    }),
  }),
  resolve: operation({
    role: 'support',
    kind: 'changes',
    reason: 'optional',
    summary: 'Resolves an alert that you dealt with. A subject with alerts of several kinds needs --kind.',
    input: z.strictObject({ subject, kind: shown(z.string().max(80), 'KIND').optional() }),
    positional: ['subject'],
    data: z.object({ kind: z.string(), subject: z.string() }),
  }),
  retry: operation({
    role: 'support',
    kind: 'changes',
    reason: 'none',
    summary: 'Retries now: a job that was given up, or a payment or refund that is not settled.',
    input: z.strictObject({ subject }),
    positional: ['subject'],
    data: z.object({ subject: z.string(), queues: z.array(z.string()) }),
  }),
};
