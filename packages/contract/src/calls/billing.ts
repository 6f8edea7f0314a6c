import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { cycleCount, id, instant, money } from '../schema.ts';

const invoice = z.object({
  id,
  number: z.string(),
  issuedAt: instant,
  productType: z.enum(['subscription', 'renewal', 'upgrade', 'reactivation']),
  planId: id,
  paymentMethod: z.enum(['card', 'paypal', 'bitcoin', 'promptpay']).optional(),
  total: money,
  status: z.enum(['open', 'paid', 'void']),
});
/** One line, in names as they were at issue: what is renamed later changes no invoice. */
const lineText = z.object({
  kind: z.literal('period'),
  plan: z.string(),
  planId: id,
  place: z.string(),
  cycleCount,
});
const page = z.object({
  page: z.coerce.number().int().min(1).default(1),
  size: z.coerce.number().int().min(1).max(100).default(20),
});
const invoices = z.object({ items: z.array(invoice), total: z.int() });

export const billingCalls = {
  listMyBilling: endpoint({
    method: 'POST',
    path: '/v1/billing/myBilling',
    auth: 'customer',
    reads: true,
    summary: 'Invoices of the customer, newest first, filtered',
    body: z.strictObject({ ...page.shape, status: z.enum(['open', 'paid', 'void']).optional() }),
    data: invoices,
  }),
  myBilling: endpoint({
    method: 'GET',
    path: '/v1/billing/myBilling',
    auth: 'customer',
    summary: 'Invoices of the customer, newest first',
    query: z.strictObject(page.shape),
    data: invoices,
  }),
  getBilling: endpoint({
    method: 'GET',
    path: '/v1/billing/getBilling/:id',
    auth: 'customer',
    summary: 'One invoice with its lines',
    params: z.object({ id }),
    data: invoice.extend({
      lines: z.array(z.object({ text: lineText, amount: money })),
      periodStart: instant.optional(),
      periodEnd: instant.optional(),
    }),
  }),
};
