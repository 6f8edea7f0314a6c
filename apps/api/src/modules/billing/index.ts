/**
 * billing — owns invoice, its lines and numbers, credit notes, documents, the ledger and customers' credit.
 * Promises: numbers without gaps; an issued document never changes; every ledger transaction sums to zero.
 * Listens to nothing: payment asks it to book. Defines the events of an invoice (`InvoiceEvent`).
 */

export { anonymizeInvoices } from './anonymize-invoices.ts';
export { assignInvoice } from './assign-invoice.ts';
export { buyerDetailsOf, saveBuyerDetails } from './buyer-details.ts';
export { carriedRestsOf, carryRest, restToCarry } from './carry.ts';
export { applyCredit, availableCredit, creditFor, hasOtherCredit, releaseCredit } from './credit.ts';
export { creditable, issueCreditNote, moneyLeft, uncredited } from './credit-notes.ts';
export {
  claimDocuments,
  copyOf,
  type DocumentRef,
  documentFor,
  documentRefOf,
  documentSubject,
  documentView,
  markNoteReady,
  postponeDocuments,
  sendWithReady,
  storeDocument,
} from './documents.ts';
export { draftInvoice, type InvoiceLine } from './draft-invoice.ts';
export { allCredit, type CreditSource, creditSources, endedCredit, goodwillOf } from './ended-credit.ts';
export { giveCredit } from './give-credit.ts';
export {
  giveGoodwill,
  planGoodwill,
  planTakeBack,
  requireBelowCeiling,
  takeGoodwillBack,
} from './goodwill.ts';
export { billingHandlers } from './handlers.ts';
export { invoiceDay, inYear } from './invoice-day.ts';
export { type InvoiceEvent, subjectOf } from './invoice-event.ts';
export {
  amountDueOf,
  coveredOf,
  creditUnapplied,
  endCreditedPart,
  endPrepaid,
  type LockedInvoice,
  lockInvoice,
  lockWithAttempt,
  payInvoice,
  prepayInvoice,
  readAmountDue,
  readPartPaid,
} from './invoices.ts';
export { payableByCoins } from './late-coins.ts';
export {
  recordCreditEnded,
  recordDispute,
  recordDueWrittenOff,
  recordFee,
  recordGoodwillEnded,
  recordOutOfBand,
  recordPaid,
  recordRefund,
  recordRefundReturned,
  recordUnapplied,
} from './ledger.ts';
export { lastNumber, nextNumbers, numberOf, skipNumbers } from './numbers.ts';
export {
  hardDeclineOf,
  invoicesPaying,
  isMoneyOnItsWay,
  isPaymentOnItsWay,
  lastPaidBy,
  payingAttempt,
  paysItsInvoice,
  unappliedAt,
} from './paying-attempt.ts';
export { correctBuyer, eraseBuyers, eraseInvoices, invoicesOf } from './personal.ts';
export { openRenewal, openRenewalOf, unpaidRenewals, voidRenewal } from './renewal-invoices.ts';
export { planReplacement, renderedReplacement, replaceInvoice } from './replace-invoice.ts';
export { sellerCountry } from './seller-country.ts';
export { billingTasks } from './tasks/index.ts';
export { applyVatOfDay } from './vat-of-day.ts';
export { PRODUCT_TYPES } from './view.ts';
export { voidUnpaid } from './void-invoice.ts';
