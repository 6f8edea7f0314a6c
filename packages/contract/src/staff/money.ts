import { z } from 'zod';
import { minor } from '../schema.ts';
import { customerName, operation, shown, writtenAmount, wrong } from './operation.ts';

const gift = z.strictObject({
  customer: customerName,
  amount: shown(writtenAmount, 'AMOUNT'),
  currency: shown(
    z
      .string()
      .regex(/^[A-Za-z]{3}$/, wrong('a currency'))
      .toUpperCase(),
    'CURRENCY',
  ).optional(),
});
const given = z.object({ customerId: z.string(), email: z.string(), currency: z.string(), amount: minor });

export const creditOperations = {
  give: operation({
    role: 'support',
    kind: 'changes',
    reason: 'required',
    preview: true,
    unattended: true,
    summary:
      'Gives a customer goodwill credit, such as 50.00, in the currency that they pay in. Their next payment uses it first, and an email tells them. The reason stays in the books; the same credit within a day is refused.',
    input: gift.extend({
      aboveCeiling: shown(
        z.boolean().default(false),
        '',
        'Gives more within 31 days than the highest price of the catalogue, or of an invoice of the customer.',
      ),
    }),
    positional: ['customer', 'amount', 'currency'],
    plan: given,
    data: given,
  }),
  'take-back': operation({
    role: 'finance',
    kind: 'changes',
    reason: 'required',
    preview: true,
    unattended: true,
    summary:
      'Takes goodwill credit back that was given by mistake, as far as it is unused. The reason stays in the audit log.',
    input: gift,
    positional: ['customer', 'amount', 'currency'],
    plan: given,
    data: given,
  }),
};

/** A day in Bangkok. */
const day = z.iso.date({ error: ({ input }) => `${input} is not a day: write it like 2027-03-01` });

const invoice = shown(z.string().min(1).max(80), 'INVOICE');
const amount = shown(writtenAmount, '99.00', 'Without it: all that is left.').optional();

export const refundOperations = {
  invoice: operation({
    role: 'finance',
    kind: 'changes',
    reason: 'required',
    preview: true,
    summary:
      'Refunds a paid invoice, with a credit note and an email. The reason is printed on the credit note.',
    input: z.strictObject({
      invoice,
      amount,
      credit: shown(z.boolean().default(false), '', 'As credit of the customer; no money moves.'),
      byHand: shown(
        z.boolean().default(false),
        '',
        'You paid it from your own bank, because its gateway refunds it no more.',
      ),
    }),
    positional: ['invoice'],
    plan: z.object({
      number: z.string(),
      currency: z.string(),
      paid: minor,
      left: minor,
      amount: minor,
      reason: z.string(),
      code: z.string(),
    }),
    data: z.object({ number: z.string(), currency: z.string(), amount: minor, creditNote: z.string() }),
  }),
  due: operation({
    role: 'finance',
    kind: 'changes',
    reason: 'required',
    preview: true,
    summary:
      'Books an out-of-band refund that you paid from your own bank: for a failed refund (ref_…), or for an unapplied payment (inv_…), as its alert names it. No gateway is asked. The customer gets an email. The reason stays in the books.',
    input: z.strictObject({
      subject: shown(z.string().min(1).max(80), 'SUBJECT'),
      writeOff: shown(
        z.boolean().default(false),
        '',
        'Nobody can be paid: write it off. Also for coins that a longer chain took back (att_…).',
      ),
    }),
    positional: ['subject'],
    plan: z.object({
      subject: z.string(),
      currency: z.string(),
      amount: minor,
      reason: z.string(),
      /** The paid invoice of coins that are gone. */
      coinsOf: z.string().optional(),
      code: z.string(),
    }),
    data: z.object({
      subject: z.string(),
      currency: z.string(),
      amount: minor,
      coinsOf: z.string().optional(),
    }),
  }),
  book: operation({
    role: 'finance',
    kind: 'changes',
    reason: 'required',
    preview: true,
    summary:
      'Books a refund that you made at the gateway itself. It replaces a failed refund, or comes with a credit note that says the reason.',
    input: z.strictObject({
      invoice,
      made: shown(z.string().min(1).max(200), 'REF', 'ID of the refund at the gateway.'),
      amount: shown(writtenAmount, '99.00'),
    }),
    positional: ['invoice'],
    plan: z.object({
      number: z.string(),
      ref: z.string(),
      provider: z.string(),
      currency: z.string(),
      amount: minor,
      reason: z.string(),
      pays: z.string().nullable(),
      code: z.string(),
    }),
    data: z.object({ number: z.string(), ref: z.string(), currency: z.string(), amount: minor }),
  }),
  again: operation({
    role: 'finance',
    kind: 'changes',
    reason: 'none',
    preview: true,
    summary:
      'Sends the money of a refund (ref_…) or credit note again after it failed for good or its dispute was won. Credit is never sent.',
    input: z.strictObject({ refund: shown(z.string().min(1).max(80), 'REFUND|CREDITNOTE') }),
    positional: ['refund'],
    plan: z.object({ refund: z.string(), currency: z.string(), amount: minor }),
    data: z.object({ refund: z.string(), currency: z.string(), amount: minor }),
  }),
};

export const invoiceOperations = {
  replace: operation({
    role: 'finance',
    kind: 'changes',
    reason: 'required',
    preview: true,
    summary:
      'Replaces the document of a paid invoice whose buyer is wrong, by one with a number of its own for the company that its customer has entered under Billing. No money moves. An email brings the document; the reason is not printed.',
    input: z.strictObject({ number: shown(z.string().min(1).max(80), 'NUMBER') }),
    positional: ['number'],
    plan: z.object({
      number: z.string(),
      customerId: z.string(),
      name: z.string(),
      taxId: z.string().optional(),
    }),
    data: z.object({ number: z.string(), replacement: z.string() }),
  }),
};

export const repriceOperations = {
  announce: operation({
    role: 'owner',
    kind: 'changes',
    reason: 'none',
    preview: true,
    unattended: true,
    summary:
      'Moves existing subscribers of a plan to the current catalogue price at their first renewal from that day on, at least 30 days after the email. Shows how many are affected, and emails each of them.',
    input: z.strictObject({
      plan: shown(z.string().min(1).max(80), 'PLAN'),
      from: shown(day, '2027-03-01'),
    }),
    positional: ['plan'],
    plan: z.object({ affected: z.int() }),
    data: z.object({ notified: z.int() }),
  }),
};

export const numberOperations = {
  given: operation({
    role: 'owner',
    kind: 'changes',
    reason: 'none',
    preview: true,
    unattended: true,
    summary:
      'After a restore from backup: issues no invoice or credit note number up to this one again, because customers have it. Lists the numbers that it does not know.',
    input: z.strictObject({
      number: shown(
        z.string().regex(/^(?:CN|RP)?\d{4}-\d{6,9}$/, wrong('a number like 2026-000123 or CN2026-000007')),
        'NUMBER',
      ),
    }),
    positional: ['number'],
    plan: z.object({ from: z.string(), to: z.string(), count: z.int() }),
    data: z.object({ series: z.string(), next: z.string() }),
  }),
};

export const paymentOperations = {
  check: operation({
    role: 'technician',
    kind: 'reads',
    reason: 'none',
    summary:
      'Checks at each payment gateway whether keys, rights, webhooks, clock and version are as the shop needs them, and in which currencies for sale bitcoin has a rate. Exits with 1 when they are not.',
    input: z.strictObject({}),
    data: z.object({
      checks: z.array(z.object({ provider: z.string(), about: z.string(), missing: z.string().optional() })),
    }),
  }),
  foreign: operation({
    role: 'finance',
    kind: 'changes',
    reason: 'required',
    summary:
      'Declares that a payment, refund or dispute at a gateway does not belong to this shop. Its alert is resolved, and the books are compared without it. The reason must not name a person.',
    input: z.strictObject({
      provider: shown(
        z.enum(['stripe', 'paypal', 'btcpay'], { error: () => 'PROVIDER is stripe, paypal, btcpay' }),
        'PROVIDER',
      ),
      ref: shown(z.string().min(1).max(200), 'REF', 'ID at the gateway.'),
    }),
    positional: ['provider', 'ref'],
    data: z.object({ provider: z.string(), ref: z.string() }),
  }),
};
