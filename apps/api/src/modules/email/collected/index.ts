/**
 * collected — emails of one kind to one customer that leave as one.
 * Promise: each that was collected is in exactly one email, unless it must not be sent any more.
 */
export { collectEmail } from './collect-email.ts';
export { createSendCollected } from './send-collected.ts';
export { type CollectedOf, lockKind, releaseKind } from './store.ts';
