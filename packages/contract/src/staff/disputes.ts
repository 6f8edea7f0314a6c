import { z } from 'zod';
import { instant, minor } from '../schema.ts';
import { operation, shown, subscriptionId } from './operation.ts';

export const disputeOperations = {
  list: operation({
    role: 'viewer',
    kind: 'reads',
    reason: 'none',
    summary: 'Lists the open disputes. Exits with 1 when one is open.',
    input: z.strictObject({}),
    data: z.object({
      disputes: z.array(
        z.object({
          ref: z.string(),
          status: z.string(),
          reason: z.string(),
          currency: z.string(),
          amount: minor,
          answerBy: instant.nullable(),
          subscriptions: z.array(z.string()),
        }),
      ),
    }),
  }),
  evidence: operation({
    role: 'finance',
    kind: 'reads',
    reason: 'none',
    download: true,
    summary:
      'Writes the evidence of a disputed sale, to submit at the payment gateway: order, terms, invoice, delivery.',
    input: z.strictObject({ dispute: shown(z.string().min(1).max(200), 'DISPUTE') }),
    positional: ['dispute'],
    data: z.object({ name: z.string(), content: z.string() }),
  }),
  restore: operation({
    role: 'support',
    kind: 'changes',
    reason: 'optional',
    summary: 'Lets the keys of a subscription connect again that was suspended because a dispute was lost.',
    input: z.strictObject({ subscription: subscriptionId }),
    positional: ['subscription'],
    data: z.object({ subscription: z.string(), open: z.array(z.string()) }),
  }),
};
