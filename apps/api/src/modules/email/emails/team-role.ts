import { defineEmail } from '../define-email.ts';
import { memberFacts } from '../team-facts.ts';

/** Sent to a user when an owner has changed what they may do. The subject is the user. */
export const teamRole = defineEmail({
  name: 'teamRole',
  audience: 'user',
  load: context => memberFacts(context.db, { customerId: context.customerId, userId: context.subjectId }),
  content: ({ t, pageAt }, { role, name }) => ({
    subject: t('teamRole.subject'),
    preview: t('teamRole.preview'),
    paragraphs: [t('teamRole.body', { name }), t(`invitation.role.${role}`)],
    action: { label: t('teamJoined.action'), url: pageAt('management/my-account') },
  }),
});
