/**
 * payment — owns gateway customer, attempt, receipt, saved method, webhook event, refund and dispute: a folder for each concept.
 * What two of them share stands at the root. attempt may use refund, dispute and saved-method, refund may use dispute,
 * pay-link may use attempt, and webhook-event all of them; never the other way round.
 * Promises: one open attempt and one counted success for an invoice; the gateway's word decides, never the page's; an
 * unapplied payment is refunded or credited.
 * Listens to: webhooks. Publishes events of invoices (defined by billing), of disputes and of default methods.
 */
export {
  type Begun,
  claimGuestPayment,
  type Means,
  type OpenPayment,
  type PaidByCard,
  type Paying,
  paymentView,
  type RecentAttempts,
  recentAttempts,
} from './attempt/index.ts';
export { cardCounterOf } from './card-testing.ts';
export type { PaymentEvent } from './deps.ts';
export {
  bookLostCoins,
  type DisputeEvidence,
  disputeEvidence,
  openDisputes,
  planLostCoins,
} from './dispute/index.ts';
export { payLinkHandlers, paymentHandlers } from './handlers.ts';
export { createPayment, type Payment } from './payment.ts';
export { NotRefundable, requirePlanCode } from './plan-code.ts';
export {
  bookDashboardRefund,
  bookOutOfBandRefund,
  endCredit,
  endDue,
  eraseOutOfBandRefunds,
  type FindDue,
  failedRefund,
  outOfBandRefundsOf,
  planDashboardRefund,
  planOutOfBandRefund,
  planRefund,
  planRetry,
  refundInvoice,
  refundMoney,
  refundsSince,
  requireBooked,
  retryRefund,
} from './refund/index.ts';
export {
  cardsOf,
  collectionMethodOf,
  forgetAllMethods,
  savedMethodsOf,
} from './saved-method/index.ts';
export { shopRecords } from './shop-records.ts';
export { hasPayments } from './store.ts';
export { paymentTasks } from './tasks/index.ts';
export { markUnrelated, webhookLag } from './webhook-event/index.ts';
