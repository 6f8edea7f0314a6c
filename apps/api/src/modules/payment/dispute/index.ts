/**
 * dispute — chargebacks and inquiries: the money that they move, the subscriptions that they suspend, evidence for the answer.
 */
export { type DisputeEvidence, disputeEvidence, openDisputes } from './dispute-evidence.ts';
export { isBlockedByDispute, isDisputed, wasDisputed } from './disputed-payment.ts';
export { followDispute } from './follow-dispute.ts';
export { bookLostCoins, lostCoinsOf, planLostCoins, returnCoins } from './lost-coins.ts';
export { creditEarlierLosses } from './lost-dispute.ts';
