/**
 * attempt — one try to get the money for an invoice: opened, paid, polled, captured, closed.
 * Promise: an invoice has one open attempt and counts one success.
 */
export { chargeSaved } from './charge-saved-method.ts';
export { claimGuestPayment } from './claim-guest-payment.ts';
export { fallenPrice } from './coin-prices.ts';
export { type OpenPayment, paymentView } from './next-action.ts';
export type { Begun } from './open-payment.ts';
export { beginAttempt, type Means, meansOf, type Paying, pay } from './pay.ts';
export { type PaidByCard, payByCard } from './pay-by-card.ts';
export { askOwnInvoice, payInvoice, stateOfPayment } from './pay-invoice.ts';
export { askAttempt, askForWebhook, askInvoice, closeInvoice, isOnItsWay } from './poll-attempt.ts';
export { type RecentAttempts, recentAttempts } from './recent-attempts.ts';
export { countFor } from './store.ts';
