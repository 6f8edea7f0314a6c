/**
 * refund — money that goes back: requested, sent, followed until it is final, sent again, or booked as made elsewhere.
 * Promise: what is due to a payer leaves once.
 */
export { bookDashboardRefund, type DashboardRefund, planDashboardRefund } from './dashboard-refund.ts';
export { followRefund, refundAsks } from './follow-refund.ts';
export {
  bookOutOfBandRefund,
  eraseOutOfBandRefunds,
  type FindDue,
  failedRefund,
  outOfBandRefundsOf,
  planOutOfBandRefund,
} from './out-of-band-refund.ts';
export { planRefund, refundInvoice, refundMoney } from './refund-invoice.ts';
export { NotRefundable } from './refund-plan.ts';
export { refundsSince, requestRefund } from './request-refund.ts';
export { retryRefund } from './retry-refund.ts';
