/**
 * subscription — owns subscription, its history and periods, cancel reasons.
 * Promises: one state machine decides what may happen; a renewal is invoiced and charged once, also under concurrency; a period
 * is granted once, only for a paid invoice, and the first one begins when the tunnel can be used.
 * Listens to: a host runs the subscription (provisioning); payment outcomes.
 */
export { activate } from './activate.ts';
export { allowListHandlers, endAllowListUrl } from './allow-list.ts';
export { readAllowList } from './allow-list-feed.ts';
export { applyUpgrade } from './apply-upgrade.ts';
export { type PlanEvent, recordChange } from './change-plan.ts';
export { chargeAmountsDue, chargeRenewal } from './charge-renewal.ts';
export { closeRenewal } from './close-renewal.ts';
export { contractInvoices, lastEnd, withdrawalsOf } from './contract.ts';
export { createSubscription } from './create-subscription.ts';
export type { AskHost } from './diagnose.ts';
export { endAllSubscriptions, hasRunning } from './end-all.ts';
export { giveDays, planDays } from './give-days.ts';
export { subscriptionHandlers } from './handlers.ts';
export { memberHandlers } from './member-handlers.ts';
export { onRenewalInvoice } from './on-renewal-invoice.ts';
export { overdueRenewals } from './overdue-renewals.ts';
export { changeLines, changeTotals, periodLines } from './period-lines.ts';
export {
  allowListOf,
  eraseAllowList,
  eraseCancellations,
  eraseLabels,
  subscriptionsOf,
} from './personal.ts';
export { placeWaiting } from './place-waiting.ts';
export { isDowngrade } from './plan-downgrade.ts';
export { announcePrice, countAffected } from './price-notice.ts';
export { reactivate, takesReactivation } from './reactivate.ts';
export { refuseAction } from './refuse-action.ts';
export { renewSubscription } from './renew.ts';
export { lockReplaceable, replacementsBefore, replaceSubscription } from './replace.ts';
export { hasSpentGrace } from './spent-grace.ts';
export { isUnchangedSince, lockForDevices, lockOwn, lockWithReplaced, stateOf } from './store.ts';
export {
  eraseSuspensions,
  isHeldByStaff,
  liftSuspension,
  openSuspensions,
  suspend,
} from './suspend.ts';
export { subscriptionTasks } from './tasks/index.ts';
export { transitionSubscription } from './transition.ts';
export { userOfDevice, usersOf } from './users-of-devices.ts';
export { usersWithPart } from './users-with-part.ts';
