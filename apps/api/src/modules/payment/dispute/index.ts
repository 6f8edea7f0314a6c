/**
 * dispute — chargebacks and inquiries: what they move, what they suspend, the evidence for whoever answers them.
 */
export { type Evidence, evidenceOf, openDisputes } from './dispute-evidence.ts';
export { followDispute, isDisputed } from './follow-dispute.ts';
export { creditLostBefore } from './lost-dispute.ts';
