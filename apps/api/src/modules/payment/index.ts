/**
 * payment — owns payer, attempt, saved method, provider-event ledger, refunds, disputes.
 * Promises: one open attempt and one counted success for an invoice; the provider's word decides, never the page's; what
 * came beyond goes back.
 * Listens to: provider webhooks. Announces what became of an invoice.
 */

export { believed } from './believed.ts';
export { renewsByItself } from './charge-saved.ts';
export type { InvoiceNews } from './deps.ts';
export { endMethods } from './end-methods.ts';
export { type Evidence, evidenceOf, openDisputes } from './evidence.ts';
export { sayForeign } from './foreign-money.ts';
export { paymentHandlers } from './handlers.ts';
export { NothingToRefund } from './nothing-to-refund.ts';
export type { OpenPayment } from './open-payment.ts';
export {
  bookOutOfBandRefund,
  eraseOutOfBandRefunds,
  type FindDue,
  failedRefund,
  outOfBandRefundsOf,
  planOutOfBandRefund,
} from './out-of-band-refund.ts';
export type { Means } from './pay.ts';
export type { PaidByCard } from './pay-by-card.ts';
export { createPayment, type Payment } from './payment.ts';
export { paymentView } from './payment-view.ts';
export { planRefund, refundInvoice, refundMoney } from './refund-invoice.ts';
export { bookMade, type Made, planMade } from './refund-made.ts';
export { refundsSince } from './refunds.ts';
export { retryRefund } from './retry-refund.ts';
export { cardsOf, givePayment, savedMethodsOf } from './saved-methods.ts';
export { hasPayments } from './store.ts';
export { paymentTasks } from './tasks/index.ts';
