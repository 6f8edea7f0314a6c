import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { exportFormats } from '../invoice-export.ts';
import { company, cycleCount, done, id, instant, minor, money, search } from '../schema.ts';

const invoice = z.object({
  id,
  number: z.string(),
  issuedAt: instant,
  /** Day of the receipt; absent while nothing was paid. */
  paidAt: instant.optional(),
  productType: z.enum(['subscription', 'renewal', 'upgrade', 'reactivation']),
  planId: id,
  /** `credit`: credit alone. Absent: nothing was due, or nobody has chosen yet. */
  paymentMethod: z.enum(['card', 'paypal', 'bitcoin', 'promptpay', 'credit']).optional(),
  total: money,
  status: z.enum(['open', 'paid', 'void']),
  /** The receipt, or the invoice while it is open; absent until it is generated. */
  documentId: id.optional(),
  /**
   * Its subscription as it is called now, with its present address, else that of the invoice; absent
   * before the subscription exists.
   */
  subscription: z.object({ id, label: z.string().optional(), address: z.string().optional() }).optional(),
});
/** One invoice line, with names at the time of issue: later renames change no invoice. */
const lineText = z.object({
  /**
   * `period`: a plan for a period. `days`, `unused`: in an upgrade, the remaining days and the
   * credit for unused ones.
   */
  kind: z.enum(['period', 'days', 'unused']),
  plan: z.string(),
  planId: id,
  place: z.string(),
  cycleCount,
  days: z.int().optional(),
  label: z.string().optional(),
  address: z.string().optional(),
});
/** Year of the day on which an invoice was paid or, unless it was, issued (Asia/Bangkok). */
const year = z.int().min(2000).max(9999);
const page = z.object({
  page: z.coerce.number().int().min(1).default(1),
  size: z.coerce.number().int().min(1).max(100).default(20),
});
/** A PDF of an invoice. */
const document = z.object({
  id,
  kind: z.enum(['invoice', 'receipt', 'creditNote', 'replacement']),
  number: z.string(),
});
const invoices = z.object({ items: z.array(invoice), total: z.int() });

export const billingCalls = {
  listMyBilling: endpoint({
    method: 'POST',
    path: '/v1/billing/myBilling',
    auth: 'customer',
    role: 'buyer',
    reads: true,
    summary: 'Invoices of the customer, filtered and sorted',
    body: z.strictObject({
      ...page.shape,
      status: invoice.shape.status.optional(),
      productType: invoice.shape.productType.optional(),
      /** Filters by subscription. */
      subscriptionId: id.optional(),
      year: year.optional(),
      /** Part of a number, a reference, or a subscription's label or address. */
      search: search.optional(),
      /** `newest`, `oldest`: by day, then by number. */
      sort: z.enum(['newest', 'oldest', 'highest', 'lowest']).default('newest'),
    }),
    data: invoices,
  }),
  myBilling: endpoint({
    method: 'GET',
    path: '/v1/billing/myBilling',
    auth: 'customer',
    role: 'buyer',
    summary: 'Invoices of the customer, newest first',
    query: z.strictObject(page.shape),
    data: invoices,
  }),
  /** Not one of the 46 calls of W48. */
  billedYears: endpoint({
    method: 'GET',
    path: '/v1/billing/years',
    auth: 'customer',
    role: 'buyer',
    summary: 'Years with invoices of the customer, newest first, and how many each has',
    data: z.object({ years: z.array(z.object({ year, invoices: z.int() })) }),
  }),
  /** Not one of the 46 calls of W48. */
  exportInvoices: endpoint({
    method: 'POST',
    path: '/v1/billing/export',
    auth: 'customer',
    role: 'buyer',
    limit: 'exportInvoices',
    reads: true,
    summary: 'Begin a download of the invoices of a year: their documents (`zip`) or a table (`csv`)',
    body: z.strictObject({ year, format: z.enum(exportFormats) }),
    data: z.object({
      /** Opens `EXPORT_PATH` for a minute, from the same network. */
      ticket: z.string(),
      /** Numbers of the documents that are not generated yet; the ZIP file names them too. */
      missing: z.array(z.string()),
    }),
  }),
  /** Not one of the 46 calls of W48. */
  getCompany: endpoint({
    method: 'GET',
    path: '/v1/billing/getCompany',
    auth: 'customer',
    role: 'buyer',
    summary: 'The company that the customer’s invoices are made out to; null for a private buyer',
    data: z.object({ company: company.nullable() }),
  }),
  /** Not one of the 46 calls of W48. */
  setCompany: endpoint({
    method: 'POST',
    path: '/v1/billing/setCompany',
    auth: 'customer',
    role: 'buyer',
    limit: 'setCompany',
    records: true,
    summary: 'Set or remove the company that invoices are made out to from now on',
    body: z.strictObject({ company: company.nullable() }),
    data: done,
  }),
  getBilling: endpoint({
    method: 'GET',
    path: '/v1/billing/getBilling/:id',
    auth: 'customer',
    role: 'buyer',
    summary: 'One invoice with its lines',
    params: z.object({ id }),
    data: invoice.extend({
      lines: z.array(z.object({ text: lineText, amount: money })),
      /**
       * How much was paid by what, and what is due, in its currency; absent for void invoices.
       * `paid`: money.
       */
      settled: z
        .object({
          prorated: minor,
          creditUsed: minor,
          paid: minor,
          due: minor,
          /** Too little to be paid by itself: what the next renewal collects, and what this one collects. */
          carriedOut: minor.optional(),
          carriedIn: minor.optional(),
        })
        .optional(),
      documents: z.array(document),
      creditNotes: z.array(
        z.object({ number: z.string(), issuedAt: instant, reason: z.string(), total: money }),
      ),
      /** The card that paid, as its owner recognises it. */
      card: z.object({ brand: z.string(), last4: z.string() }).optional(),
      periodStart: instant.optional(),
      periodEnd: instant.optional(),
      /** Its subscription; absent before that exists. */
      subscriptionId: id.optional(),
    }),
  }),
  getDocument: endpoint({
    method: 'GET',
    path: '/v1/billing/getDocument/:id',
    auth: 'customer',
    role: 'buyer',
    summary: 'One document as a PDF, always the same bytes',
    params: z.object({ id }),
    data: z.object({ fileName: z.string(), pdf: z.base64() }),
  }),
};
