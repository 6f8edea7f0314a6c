/**
 * dispute — chargebacks and inquiries: the money that they move, the subscriptions that they suspend, evidence for the answer.
 */
export { type DisputeEvidence, disputeEvidence, openDisputes } from './dispute-evidence.ts';
export { followDispute, isDisputed } from './follow-dispute.ts';
export { creditEarlierLosses } from './lost-dispute.ts';
