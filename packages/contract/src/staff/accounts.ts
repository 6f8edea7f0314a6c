import { z } from 'zod';
import { email, instant } from '../schema.ts';
import { customerName, operation, shown, subscriptionId } from './operation.ts';

const causes = ['dispute', 'abuse', 'staff'] as const;
const open = z.array(z.string());

export const subscriptionOperations = {
  suspend: operation({
    role: 'support',
    kind: 'changes',
    reason: 'required',
    preview: true,
    unattended: true,
    summary:
      'Suspends a subscription: its tunnel is dead at once, nothing is charged, and the paid period runs on. An email tells the customer.',
    input: z.strictObject({
      subscription: subscriptionId,
      cause: shown(
        z.enum(['abuse', 'staff']).default('staff'),
        'abuse|staff',
        'What the email says: that the terms of service were broken, or no cause.',
      ),
    }),
    positional: ['subscription'],
    plan: z.object({
      subscription: z.string(),
      customerId: z.string(),
      status: z.string(),
      periodEnd: instant.nullable(),
      open,
    }),
    data: z.object({ subscription: z.string(), cause: z.string() }),
  }),
  restore: operation({
    role: 'support',
    kind: 'changes',
    reason: 'required',
    summary:
      'Lifts one cause of a suspension. The subscription works again once no other cause is open; after its end its customer may re-activate it.',
    input: z.strictObject({
      subscription: subscriptionId,
      cause: shown(z.enum(causes), 'dispute|abuse|staff', 'Needed when several are open.').optional(),
    }),
    positional: ['subscription'],
    data: z.object({ subscription: z.string(), lifted: z.string(), open }),
  }),
};

export const accountOperations = {
  close: operation({
    role: 'owner',
    kind: 'changes',
    reason: 'required',
    preview: true,
    unattended: true,
    summary:
      'Closes an account for abuse: ends its subscriptions and log-ins at once, and puts keyed hashes of its email address, cards and PayPal accounts on the block list. Its user leaves the other accounts that they work for, and their devices there end; refused while they are the last owner of one. Nothing is refunded by it. An email tells the customer.',
    input: z.strictObject({
      customer: customerName,
      until: shown(
        z.iso.date({ error: ({ input }) => `${input} is not a day: write it like 2027-03-01` }),
        '2027-03-01',
        'Day on which the block ends; without it, it holds for good.',
      ).optional(),
    }),
    positional: ['customer'],
    plan: z.object({
      customerId: z.string(),
      email: z.string(),
      subscriptions: z.array(z.string()),
      /** Other accounts that its user works for, and leaves. */
      worksFor: z.array(z.string()),
      blocks: z.array(z.object({ kind: z.string(), count: z.int() })),
    }),
    data: z.object({ customerId: z.string(), email: z.string(), blocked: z.int() }),
  }),
  email: operation({
    role: 'support',
    kind: 'changes',
    reason: 'required',
    preview: true,
    unattended: true,
    summary:
      'Gives an account another email address in 24 hours. Both addresses are emailed; the present one gets a link that stops it, and is used until then. Naming the present address stops a change that waits.',
    input: z.strictObject({ customer: customerName, email: shown(email, 'EMAIL', 'The new address') }),
    positional: ['customer', 'email'],
    plan: z.object({
      customerId: z.string(),
      present: z.string(),
      email: z.string(),
      /** Addresses of changes that wait, and are stopped by this one. */
      stops: z.array(z.string()),
    }),
    data: z.object({ customerId: z.string(), email: z.string(), holdsFrom: instant.nullable() }),
  }),
  unblock: operation({
    role: 'owner',
    kind: 'changes',
    reason: 'required',
    summary: 'Takes everything of a closed account off the block list. The account stays closed.',
    input: z.strictObject({ customer: shown(z.string().regex(/^cus_\w+$/), 'CUSTOMER', 'ID (cus_…)') }),
    positional: ['customer'],
    data: z.object({ customerId: z.string(), removed: z.int() }),
  }),
};
