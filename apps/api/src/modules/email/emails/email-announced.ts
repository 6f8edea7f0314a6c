import { defineEmail } from '../define-email.ts';

/** Sent to the address that staff is about to give an account, so that a wrong one is noticed before it holds. */
export const emailAnnounced = defineEmail({
  name: 'emailAnnounced',
  audience: 'user',
  load: ({ db, subjectId }) =>
    db
      .selectFrom('email_change')
      .select('new_email')
      .where('id', '=', subjectId)
      .where('applied_at', 'is', null)
      .executeTakeFirst(),
  to: ({ new_email }) => new_email,
  content: ({ t }) => ({
    subject: t('emailChanged.subject'),
    preview: t('passwordSet.preview'),
    paragraphs: [t('emailAnnounced.body'), t('emailAnnounced.wrong')],
  }),
});
