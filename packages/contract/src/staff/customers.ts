import { z } from 'zod';
import { instant, minor } from '../schema.ts';
import { customerName, operation, shown } from './operation.ts';

const when = instant.nullable();
const money = { currency: z.string(), amount: minor };

const page = z.object({
  account: z.object({
    id: z.string(),
    email: z.string(),
    status: z.enum(['active', 'disabled', 'deleted']),
    language: z.string(),
    createdAt: instant,
    hasPassword: z.boolean(),
    hasAuthenticator: z.boolean(),
    passkeys: z.int(),
    /** Open log-ins: what the browser calls itself, no address. */
    sessions: z.array(
      z.object({ browser: z.string().nullable(), system: z.string().nullable(), createdAt: instant }),
    ),
  }),
  subscriptions: z.array(
    z.object({
      id: z.string(),
      status: z.string(),
      suspended: z.boolean(),
      plan: z.string(),
      place: z.string(),
      ...money,
      months: z.int(),
      periodStart: when,
      periodEnd: when,
      cancelled: z.boolean(),
      /** The fixed IP that it has or keeps, and the host that runs it. */
      address: z.string().nullable(),
      host: z.string().nullable(),
      hostState: z.string().nullable(),
      devices: z.array(z.object({ id: z.string(), name: z.string(), createdAt: instant })),
    }),
  ),
  invoices: z.array(
    z.object({
      id: z.string(),
      number: z.string().nullable(),
      reference: z.string(),
      purpose: z.string(),
      status: z.string(),
      ...money,
      createdAt: instant,
      paidAt: when,
    }),
  ),
  payments: z.array(
    z.object({
      id: z.string(),
      method: z.string(),
      status: z.string(),
      ...money,
      received: minor,
      failure: z.string().nullable(),
      providerRef: z.string().nullable(),
      invoice: z.string(),
      createdAt: instant,
    }),
  ),
  refunds: z.array(
    z.object({ id: z.string(), status: z.string(), ...money, reason: z.string(), createdAt: instant }),
  ),
  creditNotes: z.array(z.object({ number: z.string(), ...money, reason: z.string(), issuedAt: instant })),
  disputes: z.array(
    z.object({ ref: z.string(), status: z.string(), ...money, reason: z.string(), createdAt: instant }),
  ),
  credit: z.array(z.object(money)),
  savedMethods: z.array(
    z.object({
      method: z.string(),
      brand: z.string().nullable(),
      last4: z.string().nullable(),
      isDefault: z.boolean(),
    }),
  ),
  /** Emails of the last year, newest first: which, about what, and when. Never their text. */
  emails: z.array(
    z.object({
      email: z.string(),
      about: z.string().nullable(),
      /** `waiting`: it is collected with others of its day. */
      state: z.enum(['sent', 'waiting']),
      at: instant,
      /** Its Message-ID before the @, as in the log of the mail server. */
      messageId: z.string().nullable(),
    }),
  ),
  alerts: z.array(z.object({ kind: z.string(), subject: z.string(), since: instant })),
  /** What happened, newest first. */
  timeline: z.array(z.object({ at: instant, what: z.string() })),
});
export type CustomerPage = z.output<typeof page>;

export const limitOperations = {
  lift: operation({
    role: 'support',
    kind: 'changes',
    reason: 'required',
    summary: 'Lifts the waits that keep a customer out after wrong passwords, wrong codes or declined cards.',
    input: z.strictObject({ customer: customerName }),
    positional: ['customer'],
    data: z.object({ customerId: z.string(), email: z.string(), lifted: z.array(z.string()) }),
  }),
};

export const customerOperations = {
  show: operation({
    role: 'support',
    kind: 'reads',
    reason: 'none',
    summary:
      'Finds a customer by email address, name on a card, fixed IP, invoice or payment number, or by any ID of theirs, and shows everything about them. Lists the customers when several match, and those of a host. The audit log has who looked.',
    input: z.strictObject({
      search: shown(z.string().trim().min(2).max(320), 'EMAIL|NAME|IP|INVOICE|PAYMENT|HOST'),
    }),
    positional: ['search'],
    data: z.object({
      matches: z.array(z.object({ id: z.string(), email: z.string(), status: z.string(), by: z.string() })),
      /** Present when exactly one customer matches. */
      customer: page.optional(),
    }),
  }),
};
