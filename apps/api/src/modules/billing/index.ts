/**
 * billing — owns invoice, its lines and numbers, the ledger.
 * Promises: numbers without gaps; a finalised invoice never changes; every ledger transaction sums to zero.
 * Listens to nothing.
 */
export { billingHandlers } from './handlers.ts';
export {
  draftInvoice,
  type InvoiceRef,
  lockInvoice,
  lockUnpaid,
  payInvoice,
  voidUnpaid,
} from './invoices.ts';
export { recordExcess } from './ledger.ts';
