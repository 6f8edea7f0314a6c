import { defineEmail, nothing } from '../define-email.ts';

/** Sent when customers delete their account. */
export const accountDeleted = defineEmail({
  name: 'accountDeleted',
  toEndedAccounts: true,
  load: nothing,
  content: ({ t }) => ({
    subject: t('accountDeleted.subject'),
    preview: t('accountDeleted.preview'),
    paragraphs: [t('accountDeleted.body')],
  }),
});
