/**
 * dispute — chargebacks and inquiries: what they move, what they suspend, the evidence for whoever answers them.
 */
export { type DisputeEvidence, disputeEvidence, openDisputes } from './dispute-evidence.ts';
export { followDispute, isDisputed } from './follow-dispute.ts';
export { creditEarlierLosses } from './lost-dispute.ts';
