/**
 * subscription — owns subscription, its history and periods, cancel reasons.
 * Promises: one machine says what may happen; a period is granted once and only for a paid invoice; it begins when the
 * tunnel can be used.
 * Listens to: a host runs the subscription (provisioning).
 */
export { activate } from './activate.ts';
export { createSubscription } from './create-subscription.ts';
export { subscriptionDuties } from './duties.ts';
export { endAllSubscriptions, hasRunning } from './end-all.ts';
export { subscriptionHandlers } from './handlers.ts';
export { moveSubscription } from './move.ts';
export { subscriptionsOf } from './personal.ts';
export { placeWaiting } from './place-waiting.ts';
export { lockOwn } from './store.ts';
export { suspend } from './suspend.ts';
