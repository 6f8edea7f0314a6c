import { emailedFileLink } from '../../key/index.ts';
import { defineEmail } from '../define-email.ts';
import { memberFacts } from '../team-facts.ts';

/**
 * Sent to a user when somebody of their team has added a device for them: a link that gives its file once. The token stands in
 * the fragment, which no server logs.
 */
export const deviceForYou = defineEmail({
  name: 'keyForYou',
  audience: 'user',
  async load({ db, systemClock, customerId, subjectId }) {
    const key = await db
      .selectFrom('vpn_key')
      .select(['name', 'label', 'user_id'])
      .where('id', '=', subjectId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    const team = key && (await memberFacts(db, { customerId, userId: key.user_id ?? customerId }));
    const token = team && (await emailedFileLink(db, systemClock, subjectId));
    return token ? { device: key.label ?? key.name, name: team.name, token } : undefined;
  },
  content: ({ t, pageAt }, { device, name, token }) => ({
    subject: t('keyForYou.subject'),
    preview: t('keyForYou.preview'),
    paragraphs: [t('keyForYou.body', { name, device })],
    action: { label: t('keyForYou.action'), url: pageAt(`file?token=${token}`) },
    notes: [t('keyForYou.note')],
  }),
});
