/**
 * payment — owns payer, attempt, saved method, provider-event ledger, refunds, disputes.
 * Promises: one open attempt and one counted success for an invoice; the provider's word decides, never the page's; what
 * came beyond goes back.
 * Listens to: gateways' webhooks. Publishes what became of an invoice (billing types it), disputes, default methods.
 */

export {
  claimGuestPayment,
  type Means,
  type OpenPayment,
  type PaidByCard,
  paymentView,
} from './attempt/index.ts';
export type { PaymentEvent } from './deps.ts';
export { type DisputeEvidence, disputeEvidence, openDisputes } from './dispute/index.ts';
export { paymentHandlers } from './handlers.ts';
export { endKeepingTask } from './legal-retention.ts';
export { createPayment, type Payment } from './payment.ts';
export {
  bookDashboardRefund,
  bookOutOfBandRefund,
  type DashboardRefund,
  eraseOutOfBandRefunds,
  type FindDue,
  failedRefund,
  NotRefundable,
  outOfBandRefundsOf,
  planDashboardRefund,
  planOutOfBandRefund,
  planRefund,
  refundInvoice,
  refundMoney,
  refundsSince,
  retryRefund,
} from './refund/index.ts';
export {
  cardsOf,
  collectionMethodOf,
  forgetAllMethods,
  savedMethodsOf,
  sweepSavingsTask,
} from './saved-method/index.ts';
export { shopRecords } from './shop-records.ts';
export { hasPayments } from './store.ts';
export { paymentTasks } from './tasks.ts';
export { markUnrelated } from './webhook-event/index.ts';
