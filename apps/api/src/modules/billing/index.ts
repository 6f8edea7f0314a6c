/**
 * billing — owns invoice, its lines and numbers, the ledger and what customers have in credit.
 * Promises: numbers without gaps; what is issued never changes; every ledger transaction sums to zero.
 * Listens to nothing: payment asks it to book, and announces what became of an invoice.
 */
export { billingHandlers } from './handlers.ts';
export {
  draftPurchase,
  giveInvoice,
  type InvoiceLine,
  keepExcess,
  type LockedInvoice,
  lockInvoice,
  payInvoice,
  prepayInvoice,
  voidUnpaid,
} from './invoices.ts';
export {
  recordExcess,
  recordFee,
  recordPaid,
  recordRefund,
  recordRefundBack,
  recordReserved,
} from './ledger.ts';
export { eraseBuyers, eraseInvoices, invoicesOf } from './personal.ts';
export { openRenewal, openRenewalOf, voidRenewal } from './renewal-invoices.ts';
