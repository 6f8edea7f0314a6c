import { z } from 'zod';
import { instant } from '../schema.ts';
import { limit, operation, shown, wrong } from './operation.ts';

export const blockOperations = {
  list: operation({
    role: 'support',
    kind: 'reads',
    reason: 'none',
    summary:
      'Lists the block list, newest first: who may not buy again after their account was closed for abuse. It has hashes alone, so an entry does not say which card it is.',
    input: z.strictObject({
      about: shown(
        z.string().trim().min(1).max(320),
        'CUSTOMER|EMAIL',
        'Only entries of a closed account (cus_…), or those that keep this email address from buying.',
      ).optional(),
      limit,
    }),
    positional: ['about'],
    data: z.object({
      entries: z.array(
        z.object({
          id: z.string(),
          kind: z.enum(['email', 'card', 'paypal']),
          customerId: z.string(),
          /** Empty once the account was erased. */
          reason: z.string(),
          since: instant,
          /** Null: for good. */
          until: instant.nullable(),
        }),
      ),
    }),
  }),
  remove: operation({
    role: 'owner',
    kind: 'changes',
    reason: 'required',
    summary:
      'Takes one entry off the block list, as a card that somebody else uses too. The closed account stays closed.',
    input: z.strictObject({
      entry: shown(z.string().regex(/^blk_\w+$/, wrong('an entry (blk_…)')), 'ENTRY', 'ID (blk_…)'),
    }),
    positional: ['entry'],
    data: z.object({ entry: z.string(), kind: z.string(), customerId: z.string() }),
  }),
};
