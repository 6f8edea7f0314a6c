import { defineEmail } from '../define-email.ts';

/** Sent when somebody logs in on a device that the account has not seen before. Not sent once the session is deleted. */
export const newLogin = defineEmail({
  name: 'newSession',
  audience: 'user',
  load: ({ db, subjectId }) =>
    db.selectFrom('session').select(['browser', 'system']).where('id', '=', subjectId).executeTakeFirst(),
  content({ t, device, pageAt }, { browser, system }) {
    const named = browser && system ? device({ browser, system }) : (browser ?? system);
    return {
      subject: t('newSession.subject'),
      preview: t('newSession.preview'),
      paragraphs: [t('newSession.body', { device: named || t('newSession.unknownDevice') })],
      action: { label: t('newSession.action'), url: pageAt('management/my-account') },
    };
  },
});
