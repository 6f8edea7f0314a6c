import { defineEmail } from '../define-email.ts';
import { refundFacts } from '../refund-facts.ts';

/** Sent when a refund failed about which its recipient was notified. */
export const refundFailed = defineEmail({
  name: 'refundFailed',
  toEndedAccounts: true,
  load: refundFacts,
  content: ({ t }, { amount }) => ({
    subject: t('refundFailed.subject', { amount }),
    preview: t('refundFailed.preview'),
    paragraphs: [t('refundFailed.body', { amount })],
    notes: [t('refundFailed.note')],
  }),
});
