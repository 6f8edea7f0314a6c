import { defineEmail } from '../define-email.ts';
import { nameOfCustomer } from '../team-facts.ts';

/** Sent to a user whom an owner has removed. The subject is the customer that they worked for. */
export const teamRemoved = defineEmail({
  name: 'teamRemoved',
  audience: 'user',
  load: async ({ db, subjectId }) => {
    const name = await nameOfCustomer(db, subjectId);
    return name === undefined ? undefined : { name };
  },
  content: ({ t }, { name }) => ({
    subject: t('teamRemoved.subject'),
    preview: t('teamRemoved.preview'),
    paragraphs: [t('teamRemoved.body', { name }), t('teamRemoved.note')],
  }),
});
