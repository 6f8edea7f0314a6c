import { defineEmail } from '../define-email.ts';
import { refundFacts, refundSentContent } from '../refund-facts.ts';

/** Sent when the gateway has accepted a refund that no credit note's email has announced. */
export const refundSent = defineEmail({
  name: 'refunded',
  toEndedAccounts: true,
  load: refundFacts,
  content: refundSentContent,
});
