import { defineEmail } from '../define-email.ts';
import { nameOfCustomer } from '../team-facts.ts';

/** Sent when the URL from which firewalls read addresses has ended, because somebody who knew it may not see it any more. */
export const urlEnded = defineEmail({
  name: 'urlEnded',
  load: async ({ db, customerId }) => {
    const name = await nameOfCustomer(db, customerId);
    return name === undefined ? undefined : { name };
  },
  content: ({ t, pageAt }, { name }) => ({
    subject: t('urlEnded.subject'),
    preview: t('urlEnded.preview'),
    paragraphs: [t('urlEnded.body', { name }), t('urlEnded.note')],
    action: { label: t('urlEnded.action'), url: pageAt('management/addresses') },
  }),
});
