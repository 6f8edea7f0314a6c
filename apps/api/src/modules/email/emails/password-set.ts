import { defineEmail, nothing } from '../define-email.ts';

/** Sent when a password was set, reset or changed. */
export const passwordSet = defineEmail({
  name: 'passwordSet',
  audience: 'user',
  load: nothing,
  content: ({ t }) => ({
    subject: t('passwordSet.subject'),
    preview: t('passwordSet.preview'),
    paragraphs: [t('passwordSet.body')],
  }),
});
