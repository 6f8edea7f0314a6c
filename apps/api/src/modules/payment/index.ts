/**
 * payment — owns payer, attempt, saved method, provider-event ledger, refunds, disputes.
 * Promises: one open attempt and one counted success for an invoice; the provider's word decides, never the page's; what
 * came beyond goes back.
 * Listens to: provider webhooks. Announces what became of an invoice.
 */

export { renewsByItself } from './attempt/charge-saved-method.ts';
export { paymentView } from './attempt/next-action.ts';
export type { OpenPayment } from './attempt/open-payment.ts';
export type { Means } from './attempt/pay.ts';
export type { PaidByCard } from './attempt/pay-by-card.ts';
export type { InvoiceNews } from './deps.ts';
export { type Evidence, evidenceOf, openDisputes } from './dispute/dispute-evidence.ts';
export { paymentHandlers } from './handlers.ts';
export { endKeepingTask } from './legal-retention.ts';
export { createPayment, type Payment } from './payment.ts';
export { bookMade, type Made, planMade } from './refund/dashboard-refund.ts';
export { refundsSince } from './refund/follow-refund.ts';
export {
  bookOutOfBandRefund,
  eraseOutOfBandRefunds,
  type FindDue,
  failedRefund,
  outOfBandRefundsOf,
  planOutOfBandRefund,
} from './refund/out-of-band-refund.ts';
export { planRefund, refundInvoice, refundMoney } from './refund/refund-invoice.ts';
export { NothingToRefund } from './refund/refund-plan.ts';
export { retryRefund } from './refund/retry-refund.ts';
export { endMethods } from './saved-method/forget-methods.ts';
export { cardsOf, givePayment, savedMethodsOf } from './saved-method/saved-methods.ts';
export { sweepSavingsTask } from './saved-method/setup-declines.ts';
export { believed } from './shop-records.ts';
export { hasPayments } from './store.ts';
export { paymentTasks } from './tasks.ts';
export { sayForeign } from './webhook-event/unrelated-payments.ts';
