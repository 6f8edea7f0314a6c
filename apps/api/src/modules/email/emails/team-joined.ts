import { defineEmail } from '../define-email.ts';
import { memberFacts } from '../team-facts.ts';

/** Sent to each owner when somebody has accepted an invitation. The subject is the user who did. */
export const teamJoined = defineEmail({
  name: 'teamJoined',
  audience: 'user',
  load: context => memberFacts(context.db, { customerId: context.customerId, userId: context.subjectId }),
  content: ({ t, pageAt }, { email, role, name }) => ({
    subject: t('teamJoined.subject'),
    preview: t('teamJoined.preview'),
    paragraphs: [t('teamJoined.body', { email, name }), t(`teamJoined.role.${role}`), t('teamJoined.note')],
    action: { label: t('teamJoined.action'), url: pageAt('management/my-account') },
  }),
});
