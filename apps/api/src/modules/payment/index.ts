/**
 * payment — owns attempt, saved card, provider-event ledger, refunds.
 * Promises: one open attempt and one counted success for an invoice; the provider's word decides, never the page's.
 * Listens to: provider webhooks.
 */
export { paymentHandlers } from './handlers.ts';
export { createPayment, type Payment, type PaymentOutcome } from './payment.ts';
export { paymentRoutes } from './webhook.ts';
