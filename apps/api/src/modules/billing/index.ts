/**
 * billing — owns invoice, its lines and numbers, credit notes, documents, the ledger and what customers have in credit.
 * Promises: numbers without gaps; an issued document never changes; every ledger transaction sums to zero.
 * Listens to nothing: payment asks it to book. Types what becomes of an invoice (`InvoiceEvent`).
 */
export { applyCredit, availableCredit, creditFor, hasCreditBesides, releaseCredit } from './credit.ts';
export { creditable, issueCreditNote, moneyLeft, uncredited } from './credit-notes.ts';
export {
  claimDocuments,
  type DocumentOf,
  documentFor,
  keepDocument,
  missingDocuments,
} from './documents.ts';
export { endInvoices } from './end-invoices.ts';
export { giveCredit } from './give-credit.ts';
export { giveGoodwill, planGoodwill } from './goodwill.ts';
export { billingHandlers } from './handlers.ts';
export { type InvoiceEvent, subjectOf } from './invoice-event.ts';
export {
  askedBy,
  coveredOf,
  creditUnapplied,
  draftInvoice,
  dueOf,
  endPrepaid,
  giveInvoice,
  type InvoiceLine,
  type LockedInvoice,
  lockInvoice,
  lockWithAttempt,
  payInvoice,
  prepayInvoice,
} from './invoices.ts';
export {
  recordDispute,
  recordFee,
  recordOutOfBand,
  recordPaid,
  recordRefund,
  recordRefundBack,
  recordUnapplied,
} from './ledger.ts';
export { numberOf, passOver, standOf } from './numbers.ts';
export {
  invoicesPaying,
  isMoneyOnItsWay,
  isPaymentOnItsWay,
  lastPaidBy,
  payingAttempt,
  paysItsInvoice,
  refusedForGood,
  unappliedAt,
} from './paying-attempt.ts';
export { correctBuyer, eraseBuyers, eraseInvoices, invoicesOf } from './personal.ts';
export { openRenewal, openRenewalOf, unpaidRenewals, voidRenewal } from './renewal-invoices.ts';
export { billingTasks } from './tasks/index.ts';
export { voidUnpaid } from './void-invoice.ts';
