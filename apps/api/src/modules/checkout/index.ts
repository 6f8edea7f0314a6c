/**
 * checkout — owns order, quote, metadata.
 * Promises: the price is frozen when the order begins; every step may be killed and goes on; one charge, one
 * subscription for an order, or none of both.
 * Listens to: payment outcomes; a subscription that is up.
 */
export { createCheckout } from './checkout.ts';
export { endOrders } from './end-orders.ts';
export { checkoutHandlers } from './handlers.ts';
export { paymentOutcome } from './payment-outcome.ts';
export { orderOfToken } from './store.ts';
