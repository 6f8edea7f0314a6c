import { issueLink } from '../../account/index.ts';
import { defineEmail } from '../define-email.ts';

/**
 * Sent to the owner of an account without a password: a buyer, or a guest whose payment became credit. Carries a one-time
 * link to set one.
 */
export const welcome = defineEmail({
  name: 'welcome',
  audience: 'user',
  // Made only here, so that no queue ever holds the token.
  load: async ({ db, systemClock, customerId, subjectId }) => ({
    token: await issueLink(db, systemClock, customerId),
    // Of an order its ID, of credit the name of its transaction.
    isCredit: subjectId.startsWith('kept:'),
  }),
  content: ({ t, pageAt }, { token, isCredit }) => ({
    subject: t('welcome.subject'),
    preview: t('welcome.preview'),
    paragraphs: [t(isCredit ? 'welcome.credit' : 'welcome.body')],
    // The token stands in the fragment: no server and no log ever sees it (S14).
    action: { label: t('welcome.action'), url: pageAt(`auth/reset-password?token=${token}`) },
    notes: [t('welcome.note')],
  }),
});
