import { defineEmail, nothing } from '../define-email.ts';

/** Sent when a refresh token was used a second time, which ends its session. */
export const sessionStolen = defineEmail({
  name: 'sessionStolen',
  audience: 'user',
  load: nothing,
  content: ({ t }) => ({
    subject: t('sessionStolen.subject'),
    preview: t('sessionStolen.preview'),
    paragraphs: [t('sessionStolen.body')],
  }),
});
