import { z } from 'zod';
import { minorOf, rateOf, satoshiOf } from './amounts.ts';

/*
 * Parts of BTCPay's answers that are read (OpenAPI description, 2.x). Unknown members are ignored.
 */
const decimal = z.string().regex(/^-?\d+(\.\d+)?$/);
const satoshi = decimal.transform(satoshiOf);
const minor = decimal.transform(minorOf);
const instant = z.number().transform(seconds => new Date(seconds * 1000));

export const invoiceShape = z.object({
  id: z.string().min(1),
  status: z.enum(['New', 'Processing', 'Expired', 'Invalid', 'Settled']),
  currency: z.string(),
  amount: minor,
  /** Sum of all valid coins, confirmed or not. */
  paidAmount: minor,
  expirationTime: instant,
  metadata: z.object({ attemptId: z.string().optional() }).catch({}),
});
export type BtcpayInvoice = z.output<typeof invoiceShape>;

/** One payment method of an invoice. `payments` excludes transactions that were replaced. */
export const paymentMethodShape = z.object({
  paymentMethodId: z.string(),
  destination: z.string().nullish(),
  paymentLink: z.string().nullish(),
  rate: decimal.transform(rateOf),
  payments: z.array(
    z.object({
      id: z.string(),
      value: satoshi,
      /** Network fee that the store charges on top. */
      fee: satoshi,
      status: z.enum(['Invalid', 'Processing', 'Settled']),
    }),
  ),
});
export type BtcpayMethod = z.output<typeof paymentMethodShape>;

export const pullPaymentShape = z.object({
  id: z.string().min(1),
  name: z.string(),
  description: z.string().nullish(),
  currency: z.string(),
  amount: minor,
  archived: z.boolean(),
  viewLink: z.url(),
});
export type BtcpayPullPayment = z.output<typeof pullPaymentShape>;

export const payoutShape = z.object({
  originalAmount: minor,
  state: z.enum(['AwaitingApproval', 'AwaitingPayment', 'InProgress', 'Completed', 'Cancelled']),
});
export type BtcpayPayout = z.output<typeof payoutShape>;

export const webhookShape = z.object({
  deliveryId: z.string().min(1),
  /** Id of the first delivery; older servers omit it there. */
  originalDeliveryId: z.string().min(1).nullish(),
  type: z.string(),
  storeId: z.string(),
  invoiceId: z.string().optional(),
  pullPaymentId: z.string().nullish(),
  metadata: z.object({ attemptId: z.string().optional() }).nullish(),
});
