import { z } from 'zod';
import { declineCauses } from '../decline-causes.ts';
import { currency, id, instant, minor } from '../schema.ts';

export const paymentMethod = z.enum(['card', 'paypal', 'bitcoin', 'promptpay']);
/**
 * The provider's token for something that its script created in the page, such as a card. It
 * becomes part of URLs.
 */
export const providerRef = z.string().regex(/^\w{1,200}$/);

/** How a customer pays: a method, and optionally a saved instance of it. */
export const payBy = {
  paymentMethod,
  /** A saved card instead of a new one. */
  cardId: id.optional(),
  /** A saved PayPal account, charged without visiting PayPal. */
  accountId: id.optional(),
};

/** Decimal amount in the unit that is paid, as shown to the payer. */
const paidSum = z.object({ amount: z.string(), unit: z.enum(['BTC', 'THB']) });

/** Next action of the page to let the customer pay, one kind per payment method. */
const nextAction = z.discriminatedUnion('kind', [
  /**
   * Create a card with the provider's script, and pass its id to the server, which confirms. `ref`:
   * the payment at the provider. It is no secret: nobody can pay by it.
   */
  z.object({ kind: z.literal('card'), ref: providerRef }),
  /** Let the bank ask the customer with the provider's script (3-D Secure); the server finishes. */
  z.object({ kind: z.literal('authenticate'), clientSecret: z.string() }),
  /** Approve on the provider's own page. */
  z.object({ kind: z.literal('redirect'), url: z.url() }),
  /** Show a QR code: `amount` is missing, `arrived` has been seen already. */
  z.object({
    kind: z.literal('scan'),
    text: z.string(),
    address: z.string().optional(),
    ...paidSum.shape,
    arrived: z.string().optional(),
    expiresAt: instant,
  }),
  /**
   * Nothing: the customer has done their part. `seen`: amount that is on its way, where that is
   * visible.
   */
  z.object({ kind: z.literal('wait'), seen: paidSum.optional() }),
]);
export type NextAction = z.infer<typeof nextAction>;
/** A payment in progress. */
const payment = z.object({
  method: paymentMethod,
  nextAction,
  /** Seconds until the offer ends, if it does. */
  endsIn: z.int().optional(),
  /** Earlier payments for the order, too small by themselves. */
  prepaid: z.object({ currency, amount: minor }).optional(),
});

/** Outcome: what is still to be done, or why the payment was declined. */
export const tried = {
  payment: payment.optional(),
  /** Code of the last decline by the payment provider. */
  failure: z.string().optional(),
  /** Why the card of this call was declined, where its holder can do something about it. */
  cause: z.enum(declineCauses).optional(),
};
