/**
 * subscription — owns subscription, its history and periods, cancel reasons.
 * Promises: one machine says what may happen; a renewal is invoiced and charged once, whoever does it; a period is granted once and only for a paid invoice; it begins when the
 * tunnel can be used.
 * Listens to: a host runs the subscription (provisioning); payment outcomes.
 */
export { activate } from './activate.ts';
export { announcePrice, countConcerned, countLate, type NewPrice } from './announce.ts';
export { applyUpgrade } from './apply-upgrade.ts';
export { type PlanEvent, recordChange } from './change-plan.ts';
export { chargeAmountsDue, chargeRenewal } from './charge-renewal.ts';
export { closeRenewal } from './close-renewal.ts';
export { contractInvoices, hasWithdrawn, lastEnd } from './contract.ts';
export { createSubscription } from './create-subscription.ts';
export type { AskHost } from './diagnose.ts';
export { endAllSubscriptions, hasRunning } from './end-all.ts';
export { subscriptionHandlers } from './handlers.ts';
export { moveSubscription } from './move.ts';
export { changeLines, changeTotals, periodLines } from './period-lines.ts';
export { eraseCancellations, subscriptionsOf } from './personal.ts';
export { placeWaiting } from './place-waiting.ts';
export { isCheaper } from './plan-downgrade.ts';
export { reactivate } from './reactivate.ts';
export { renewSubscription } from './renew.ts';
export { onRenewalInvoice } from './renewed.ts';
export { lockReplaceable, replaceSubscription } from './replace.ts';
export { isAsOffered, lockOwn, lockWithReplaced, stateOf } from './store.ts';
export { suspend } from './suspend.ts';
export { subscriptionTasks } from './tasks/index.ts';
