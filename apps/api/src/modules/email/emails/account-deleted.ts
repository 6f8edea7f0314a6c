import { defineEmail } from '../define-email.ts';
import { endedCreditTexts } from '../ended-credit.ts';

/** Sent when customers delete their account. */
export const accountDeleted = defineEmail({
  name: 'accountDeleted',
  audience: 'user',
  toEndedAccounts: true,
  load: async context => ({ credit: await endedCreditTexts(context) }),
  content: ({ t }, { credit }) => ({
    subject: t('accountDeleted.subject'),
    preview: t('accountDeleted.preview'),
    paragraphs: [t('accountDeleted.body'), ...credit],
  }),
});
