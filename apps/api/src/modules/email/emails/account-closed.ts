import { defineEmail } from '../define-email.ts';
import { endedCreditTexts } from '../ended-credit.ts';

/** Sent when staff closes an account for abuse. */
export const accountClosed = defineEmail({
  name: 'accountClosed',
  audience: 'user',
  toEndedAccounts: true,
  load: async context => ({ credit: await endedCreditTexts(context) }),
  content: ({ t }, { credit }) => ({
    subject: t('accountClosed.subject'),
    preview: t('accountClosed.preview'),
    paragraphs: [t('accountClosed.body'), ...credit, t('accountClosed.note')],
  }),
});
