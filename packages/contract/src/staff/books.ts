import { z } from 'zod';
import { instant, minor } from '../schema.ts';
import { operation, shown, wrong } from './operation.ts';

const balance = z.object({
  currency: z.string(),
  ours: minor,
  theirs: minor,
  holds: minor.optional(),
  fees: minor,
  exchange: minor,
  underWay: z.array(z.object({ reason: z.string(), amount: minor, count: z.int() })),
  moved: z.array(z.object({ kind: z.string(), amount: minor, count: z.int() })),
});

export const month = shown(
  z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, {
    error: ({ input }) => `${input} is not a month: write it like 2026-11`,
  }),
  '2026-11',
);

export const bookOperations = {
  check: operation({
    role: 'finance',
    // What it books and raises, the scheduled tasks do by themselves.
    kind: 'reads',
    reason: 'none',
    summary:
      'Checks the books against every rule and against the payment gateways, and books what these moved besides sales. Exits with 1 when they differ, and prints the query that finds each difference.',
    input: z
      .strictObject({
        database: shown(z.boolean().default(false), '', 'Checks the database alone.'),
        at: shown(
          z.iso.datetime({ offset: true, ...wrong('an instant: write it like 2027-03-01T03:00:00Z') }),
          '2027-03-01T03:00:00Z',
          'With --database: as of the moment of a restored backup.',
        ).optional(),
      })
      .refine(({ database, at }) => database || at === undefined, {
        error: '--at requires --database: gateways only report the present',
      }),
    data: z.object({
      differences: z.array(
        z.object({
          name: z.string(),
          sentence: z.string(),
          rows: z.array(z.record(z.string(), z.unknown())),
          query: z.string(),
        }),
      ),
      /** Gateways that were not compared, and why. */
      notCompared: z.array(z.string()),
      compared: z.array(
        z.object({
          provider: z.string(),
          balances: z.array(balance),
          /** The gateway's records begin then; our balance was not compared. */
          from: z.string().optional(),
          unheld: z.enum(['forbidden', 'moving']).optional(),
        }),
      ),
    }),
  }),
  payouts: operation({
    role: 'finance',
    kind: 'reads',
    reason: 'none',
    summary:
      'Lists the payouts of the gateways to your bank that are not ticked off, each with its bank account. Exits with 1 when there is one.',
    input: z.strictObject({ all: shown(z.boolean().default(false), '', 'Also those that are ticked off.') }),
    data: z.object({
      payouts: z.array(
        z.object({
          provider: z.string(),
          ref: z.string(),
          at: instant,
          currency: z.string(),
          amount: minor,
          destination: z.string().nullable(),
          arrivedAt: instant.nullable(),
          isReturned: z.boolean(),
          isKnown: z.boolean(),
        }),
      ),
    }),
  }),
  arrived: operation({
    role: 'finance',
    kind: 'changes',
    reason: 'none',
    summary:
      'Ticks off a payout that is on the statement of your bank. Its bank account is known from then on.',
    input: z.strictObject({ payout: shown(z.string().min(1).max(200), 'PAYOUT') }),
    positional: ['payout'],
    data: z.object({ payout: z.string() }),
  }),
  revenue: operation({
    role: 'finance',
    kind: 'reads',
    reason: 'none',
    summary:
      'Prints earned and unearned revenue without VAT by day and currency, as CSV, for the days of the month that are over.',
    input: z.strictObject({ month }),
    data: z.object({
      days: z.array(
        z.object({ day: z.string(), currency: z.string(), booked: minor, earned: minor, unearned: minor }),
      ),
    }),
  }),
};
