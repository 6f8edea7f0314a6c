import { defineEmail } from '../define-email.ts';

/** Sent to the previous address when a user changes theirs, or when staff is about to. Carries the link that undoes it. */
export const emailChanged = defineEmail({
  name: 'emailChanged',
  audience: 'user',
  async load({ db, systemClock, subjectId }) {
    return db
      .selectFrom('email_change')
      .select(['old_email', 'applied_at'])
      .where('id', '=', subjectId)
      .where('undo_until', '>', systemClock.now())
      .executeTakeFirst();
  },
  to: ({ old_email }) => old_email,
  content: ({ t, pageAt, undoEmailToken, subjectId }, { applied_at }) => ({
    subject: t('emailChanged.subject'),
    preview: t('passwordSet.preview'),
    paragraphs: applied_at ? [t('emailChanged.body'), t('emailChanged.undo')] : [t('emailChanged.soon')],
    // The token stands in the fragment: no server and no log ever sees it (S14).
    action: {
      label: t('emailChanged.action'),
      url: pageAt(`undo-email?token=${undoEmailToken(subjectId)}`),
    },
  }),
});
