import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { currency, instant, minor } from '../schema.ts';
import { paymentMethod, providerRef, tried } from './paying.ts';
import { humanCheck } from './session.ts';

/** State of the invoice of a link; what it asks for only while it is open. */
const status = z.enum(['open', 'paid', 'void']);
const paymentState = z.object({ status, ...tried });

/**
 * Calls of the page behind the link in an invoice's email, which pays this invoice and nothing else. The bearer token is the
 * link's: 8003 for an unknown one. The payer may be anybody, so no answer names the customer or what they have saved, and
 * nothing of the payer is saved for the customer.
 */
export const payLinkCalls = {
  invoice: endpoint({
    method: 'POST',
    path: '/v1/payLink/invoice',
    auth: 'link',
    reads: true,
    limit: 'readPayLink',
    summary:
      'The invoice of a link: number, period, amount and methods while it is open, otherwise that it is over',
    body: z.strictObject({ humanCheck }),
    data: z.object({
      status,
      open: z
        .object({
          reference: z.string(),
          period: z.object({ start: instant, end: instant }).optional(),
          currency,
          /** What is still due. */
          amount: minor,
          methods: z.array(paymentMethod),
        })
        .optional(),
    }),
  }),
  pay: endpoint({
    method: 'POST',
    path: '/v1/payLink/pay',
    buys: 'always',
    auth: 'link',
    limit: 'payByLink',
    summary:
      'Pay the invoice of a link, with `card` by one that the page has created; repeated, the same payment',
    body: z.strictObject({ paymentMethod, card: providerRef.optional(), humanCheck }),
    data: paymentState,
  }),
  ask: endpoint({
    method: 'POST',
    path: '/v1/payLink/ask',
    auth: 'link',
    limit: 'readPayLink',
    summary: 'Poll the provider for the payment of a link’s invoice and settle',
    body: z.strictObject({ humanCheck }),
    data: paymentState,
  }),
};
