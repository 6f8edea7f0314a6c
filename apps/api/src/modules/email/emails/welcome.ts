import { issueLink } from '../../account/index.ts';
import { defineEmail } from '../define-email.ts';

/** Sent when an account was made for a buyer who has no password yet: carries a one-time link to set one. */
export const welcome = defineEmail({
  name: 'welcome',
  // Made only here, so that no queue ever holds the token.
  load: async ({ db, clock, customerId }) => ({ token: await issueLink(db, clock, customerId) }),
  content: ({ t, pageAt }, { token }) => ({
    subject: t('welcome.subject'),
    preview: t('welcome.preview'),
    paragraphs: [t('welcome.body')],
    // The token stands in the fragment: no server and no log ever sees it (S14).
    action: { label: t('welcome.action'), url: pageAt(`auth/reset-password?token=${token}`) },
    notes: [t('welcome.note')],
  }),
});
