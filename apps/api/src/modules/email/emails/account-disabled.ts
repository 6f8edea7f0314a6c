import { defineEmail, nothing } from '../define-email.ts';

/** Sent when customers disable their account. */
export const accountDisabled = defineEmail({
  name: 'accountDisabled',
  toEndedAccounts: true,
  load: nothing,
  content: ({ t }) => ({
    subject: t('accountDisabled.subject'),
    preview: t('accountDisabled.preview'),
    paragraphs: [t('accountDisabled.body')],
  }),
});
