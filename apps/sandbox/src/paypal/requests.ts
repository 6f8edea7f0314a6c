import { z } from 'zod';
import { malformed } from './errors.ts';

const text = (longest: number) => z.string().min(1).max(longest);
const money = z.strictObject({
  currency_code: z.string().length(3),
  value: z
    .string()
    .max(32)
    .regex(/^((-?\d+)|(-?(\d+)?[.]\d+))$/),
});
/** A return address. PayPal inserts its parameters before the `#`, which requires a path. */
const address = z
  .url({ protocol: /^https?$/ })
  .refine(url => !/^https?:\/\/[^/?#]*#/.test(url), 'needs a path before #');

const wallet = z.strictObject({
  vault_id: text(255).optional(),
  stored_credential: z
    .strictObject({
      payment_initiator: z.enum(['CUSTOMER', 'MERCHANT']),
      usage: z.enum(['FIRST', 'SUBSEQUENT', 'DERIVED']).optional(),
      usage_pattern: z.string().optional(),
    })
    .optional(),
  attributes: z
    .strictObject({
      vault: z.strictObject({
        store_in_vault: z.enum(['ON_SUCCESS']),
        usage_type: z.enum(['MERCHANT', 'PLATFORM']),
        usage_pattern: z.string().optional(),
      }),
    })
    .optional(),
  experience_context: z
    .strictObject({
      brand_name: text(127).optional(),
      return_url: address,
      cancel_url: address,
      user_action: z.enum(['CONTINUE', 'PAY_NOW']).optional(),
      shipping_preference: z.enum(['GET_FROM_FILE', 'NO_SHIPPING', 'SET_PROVIDED_ADDRESS']).optional(),
    })
    .optional(),
});

export const orderRequest = z.strictObject({
  intent: z.enum(['CAPTURE']),
  purchase_units: z.tuple([
    z.strictObject({
      amount: money,
      description: text(127).optional(),
      custom_id: text(127),
      invoice_id: text(127),
    }),
  ]),
  payment_source: z.strictObject({ paypal: wallet }),
});
export type OrderRequest = z.output<typeof orderRequest>;

export const refundRequest = z.strictObject({
  amount: money.optional(),
  custom_id: text(127)
    .regex(/^[A-Za-z0-9-_.,]*$/)
    .optional(),
  invoice_id: text(127).optional(),
  note_to_payer: text(255).optional(),
});
export type RefundRequest = z.output<typeof refundRequest>;

export const webhookRequest = z.strictObject({
  url: z.url(),
  event_types: z.array(z.strictObject({ name: text(50) })).min(1),
});

/** Parses a body by its schema. @throws PaypalRefusal that names every invalid member */
export function parsed<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw malformed(
    result.error.issues.map(({ path, code, message }) => ({
      field: `/${path.join('/')}`,
      issue: code === 'invalid_type' ? 'MISSING_REQUIRED_PARAMETER' : 'INVALID_PARAMETER_SYNTAX',
      description: message,
    })),
  );
}
