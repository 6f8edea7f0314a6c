import { z } from 'zod';
import { instant } from '../schema.ts';
import { operation, shown } from './operation.ts';

const skipped = z.array(z.object({ subscription: z.string(), why: z.string() }));

export const dayOperations = {
  give: operation({
    role: 'support',
    kind: 'changes',
    reason: 'required',
    preview: true,
    unattended: true,
    summary:
      'Gives free days to a subscription (sub_…), to all of a customer, or to everybody on a host: the paid period and everything after it move by as many days. Skips whose payment is past due, and who would have more than 31 free days in 31 days. An email tells each customer. The reason stays in the audit log; for a host it must not name a person.',
    input: z.strictObject({
      to: shown(z.string().trim().min(1).max(320), 'SUBSCRIPTION|CUSTOMER|HOST'),
      days: shown(
        z.coerce
          .number({ error: ({ input }) => `${input} is not a number of days` })
          .int({ error: ({ input }) => `${input} is not a whole number of days` })
          .min(1, 'DAYS is 1 to 31')
          .max(31, 'DAYS is 1 to 31'),
        'DAYS',
      ),
    }),
    positional: ['to', 'days'],
    plan: z.object({
      days: z.int(),
      given: z.array(
        z.object({ subscription: z.string(), customerId: z.string(), from: instant, until: instant }),
      ),
      skipped,
    }),
    data: z.object({ days: z.int(), given: z.int(), skipped }),
  }),
};
