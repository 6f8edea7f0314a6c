import { z } from 'zod';
import { BITCOIN, parts } from './amounts.ts';
import { WrongParameters } from './errors.ts';

/** Parses a decimal, as text or number, into the unit's parts. */
const decimalOf = (unit: number) =>
  z.union([z.string(), z.number()]).transform((text, context) => {
    const found = parts(text, unit);
    if (found !== undefined) return found;
    context.addIssue({ code: 'custom', message: 'Invalid amount' });
    return z.NEVER;
  });
export const moneyAmount = decimalOf(100);
export const bitcoinAmount = decimalOf(BITCOIN);

/**
 * What the shop may send. Unknown members are refused here as mistakes of the shop; BTCPay ignores
 * them.
 */
export const newInvoice = z.strictObject({
  amount: moneyAmount,
  currency: z.string().regex(/^[A-Z]{3}$/),
  metadata: z.record(z.string(), z.unknown()).default({}),
  checkout: z
    .strictObject({
      speedPolicy: z.enum(['HighSpeed', 'MediumSpeed', 'LowMediumSpeed', 'LowSpeed']).optional(),
      paymentMethods: z.array(z.literal('BTC-CHAIN')).optional(),
      expirationMinutes: z.number().min(0.5).default(15),
      monitoringMinutes: z.number().min(0).default(1440),
      paymentTolerance: z.literal(0).default(0),
      redirectURL: z.string().optional(),
    })
    .prefault({}),
});

export const newStatus = z.strictObject({ status: z.enum(['Settled', 'Invalid']) });

export const newRefund = z.strictObject({
  name: z.string().max(50),
  description: z.string(),
  payoutMethodId: z.literal('BTC-CHAIN'),
  refundVariant: z.literal('Custom'),
  customAmount: moneyAmount,
  customCurrency: z.string().regex(/^[A-Z]{3}$/),
});

export const newPayout = z.strictObject({
  destination: z.string().min(1),
  payoutMethodId: z.literal('BTC-CHAIN'),
  amount: moneyAmount.optional(),
});

/** Reads a body, or refuses it as BTCPay does: every fault with its path. */
export function read<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const parsed = schema.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  throw new WrongParameters(
    parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })),
  );
}
