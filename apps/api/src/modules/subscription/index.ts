/**
 * subscription — owns subscription, its periods, cancel reasons.
 * Promises: a period is granted once and only for a paid invoice; it begins when the tunnel can be used.
 * Listens to: a host runs the subscription (provisioning).
 */
export { activate } from './activate.ts';
export { assignWaiting } from './assign-waiting.ts';
export { createSubscription } from './create-subscription.ts';
export { endAllSubscriptions, hasRunning } from './end-all.ts';
export { subscriptionHandlers } from './handlers.ts';
export { lockOwn } from './store.ts';
