import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id } from '../schema.ts';
import { payment, paymentMethod } from './paying.ts';

const paying = z.object({
  status: z.enum(['open', 'paid', 'void']),
  /** What the page does next; absent while nothing is to be done. */
  payment: payment.optional(),
});

/** An open invoice that its customer pays by his own hand, beyond the 46 calls of W48. */
export const invoiceCalls = {
  payInvoice: endpoint({
    method: 'POST',
    path: '/v1/invoice/pay',
    auth: 'customer',
    rights: 'application',
    limit: 'pay',
    summary:
      'Pay an open invoice by any method: answers what is needed to pay; asked again, the same payment',
    body: z.strictObject({ invoiceId: id, paymentMethod }),
    data: paying,
  }),
  askInvoice: endpoint({
    method: 'POST',
    path: '/v1/invoice/ask',
    auth: 'customer',
    rights: 'application',
    limit: 'askPayment',
    summary: 'Ask the provider how the payment of an invoice stands, and settle',
    body: z.strictObject({ invoiceId: id }),
    data: paying,
  }),
};
