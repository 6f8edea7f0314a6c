import { defineEmail } from '../define-email.ts';
import { endedCreditTexts } from '../ended-credit.ts';

/** Sent when customers disable their account. */
export const accountDisabled = defineEmail({
  name: 'accountDisabled',
  audience: 'user',
  toEndedAccounts: true,
  load: async context => ({ credit: await endedCreditTexts(context) }),
  content: ({ t }, { credit }) => ({
    subject: t('accountDisabled.subject'),
    preview: t('accountDisabled.preview'),
    paragraphs: [t('accountDisabled.body'), ...credit],
  }),
});
