import { z } from 'zod';
import { declineCauses } from '../decline-causes.ts';
import { currency, id, instant, minor } from '../schema.ts';

export const paymentMethod = z.enum(['card', 'paypal', 'bitcoin', 'promptpay']);
/**
 * The provider's name of something that its script made in the page: a card, whose number stays there. It becomes a part
 * of addresses.
 */
export const providerRef = z.string().regex(/^\w{1,200}$/);

/** What a customer pays by: a method, and what of it he has saved. */
export const payBy = {
  paymentMethod,
  /** A saved card instead of a new one. */
  cardId: id.optional(),
  /** A kept account at PayPal, charged without leading to its page. */
  accountId: id.optional(),
};

/** Decimals in the unit that is paid, as its payer sees them. */
const paidSum = z.object({ amount: z.string(), unit: z.enum(['BTC', 'THB']) });

/** What the page does next to let the customer pay: one way for each payment method. */
const payable = z.discriminatedUnion('kind', [
  /** Confirm with the provider's script. `requiresAction`: 3-D Secure was begun and is still asked of the customer. */
  z.object({ kind: z.literal('confirm'), clientSecret: z.string(), requiresAction: z.boolean() }),
  /** Approve on the provider's own page. */
  z.object({ kind: z.literal('redirect'), url: z.url() }),
  /** Pay what a QR code says: `amount` is what is missing, `arrived` what has been seen of it already. */
  z.object({
    kind: z.literal('scan'),
    text: z.string(),
    address: z.string().optional(),
    ...paidSum.shape,
    arrived: z.string().optional(),
    expiresAt: instant,
  }),
  /** Nothing: the customer has done his part. `seen` is on its way, where that can be seen. */
  z.object({ kind: z.literal('wait'), seen: paidSum.optional() }),
]);
export type Payable = z.infer<typeof payable>;
/** A payment that is being made. */
const payment = z.object({
  method: paymentMethod,
  payable,
  /** Seconds until what is offered ends, where it does. */
  endsIn: z.int().optional(),
  /** What has come for the order before and was too little by itself. */
  prepaid: z.object({ currency, amount: minor }).optional(),
});

/** How it went: what is still to be done, or why it was refused. */
export const tried = {
  payment: payment.optional(),
  /** Code of the last refusal by the payment provider. */
  failure: z.string().optional(),
  /** Why the card of this call was refused, where its holder can help it. */
  cause: z.enum(declineCauses).optional(),
};
