import { z } from 'zod';
import { instant } from '../schema.ts';
import { limit, operation, shown } from './operation.ts';

const facts = z.record(z.string(), z.unknown()).nullable();

export const auditOperations = {
  list: operation({
    role: 'owner',
    kind: 'reads',
    reason: 'none',
    summary: 'Lists what staff changed, newest first.',
    input: z.strictObject({
      subject: shown(
        z.string().max(200),
        'ID',
        'Only entries about this customer, subscription, host …',
      ).optional(),
      limit,
    }),
    positional: ['subject'],
    data: z.object({
      entries: z.array(
        z.object({
          seq: z.int(),
          at: instant,
          actor: z.string(),
          operation: z.string(),
          phase: z.string(),
          subject: z.string().nullable(),
          before: facts,
          after: facts,
          /** Reason and personal values; absent once they were erased with their account. */
          detail: facts,
          erased: z.boolean(),
        }),
      ),
    }),
  }),
  reads: operation({
    role: 'owner',
    kind: 'reads',
    reason: 'none',
    summary: 'Lists who of staff read the page of which customer, newest first.',
    input: z.strictObject({
      customer: shown(z.string().max(200), 'CUSTOMER', 'Only those of this customer (cus_…)').optional(),
      limit,
    }),
    positional: ['customer'],
    data: z.object({
      reads: z.array(z.object({ at: instant, actor: z.string(), customerId: z.string() })),
    }),
  }),
  verify: operation({
    role: 'owner',
    kind: 'reads',
    reason: 'none',
    summary:
      'Recomputes the chain of the audit log. Prints its head, the hash of its newest entry: keep it elsewhere. Exits with 1 when an entry was changed or is missing.',
    input: z.strictObject({
      head: shown(
        z.string().regex(/^[0-9a-f]{64}$/, { error: ({ input }) => `${input} is not a head` }),
        'HASH',
        'A head that you kept: also fails when the chain does not have it any more.',
      ).optional(),
    }),
    data: z.object({
      entries: z.int(),
      erased: z.int(),
      head: z.string(),
      fault: z.object({ seq: z.int(), what: z.string() }).optional(),
      holdsHead: z.boolean().optional(),
    }),
  }),
};
