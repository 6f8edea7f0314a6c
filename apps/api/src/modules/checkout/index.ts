/**
 * checkout — owns order, quote, metadata.
 * Promises: the price is frozen when the order begins; every step resumes after a crash; an order leads to one charge and
 * one subscription, or to neither.
 * Listens to: payment outcomes; a subscription that is up.
 */

export { creditUnapplied, unclaimedPayment } from './credit-unapplied.ts';
export type { CheckoutDeps } from './deps.ts';
export { orderEmailed } from './emailed.ts';
export { endOrders } from './end-orders.ts';
export { expireOrder } from './expire-order.ts';
export { fulfilOrder } from './fulfil-order.ts';
export { checkoutHandlers, guestHandlers, withdrawHandlers } from './handlers.ts';
export { onInvoice } from './on-invoice.ts';
export { eraseOrders, ordersOf } from './personal.ts';
export { orderOfToken } from './store.ts';
export { checkoutTasks } from './tasks/index.ts';
