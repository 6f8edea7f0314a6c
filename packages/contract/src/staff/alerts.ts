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
