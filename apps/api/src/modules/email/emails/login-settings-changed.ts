import { defineEmail, nothing } from '../define-email.ts';

/** Sent when a passkey, the authenticator app or the recovery codes of an account changed. */
export const loginSettingsChanged = defineEmail({
  name: 'loginChanged',
  audience: 'user',
  load: nothing,
  content: ({ t, change, pageAt }) => ({
    subject: t('loginChanged.subject'),
    preview: t('loginChanged.preview'),
    paragraphs: [t(`loginChanged.${change}`), t('loginChanged.note')],
    action: { label: t('loginChanged.action'), url: pageAt('management/my-account') },
  }),
});
