/**
 * refund — refunds: requested, sent, followed until they are final, retried, or booked as made in a dashboard or out of band.
 * Promise: an amount is refunded once.
 */
export { bookDashboardRefund, planDashboardRefund } from './dashboard-refund.ts';
export { endCredit } from './end-credit.ts';
export { followRefund, refundAsks } from './follow-refund.ts';
export {
  bookOutOfBandRefund,
  endDue,
  eraseOutOfBandRefunds,
  type FindDue,
  failedRefund,
  outOfBandRefundsOf,
  planOutOfBandRefund,
} from './out-of-band-refund.ts';
export { planRefund, refundInvoice, refundMoney } from './refund-invoice.ts';
export { requireBooked } from './refundable.ts';
export { refundsSince, requestRefund } from './request-refund.ts';
export { planRetry, retryRefund } from './retry-refund.ts';
