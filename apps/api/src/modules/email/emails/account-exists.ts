import type { Translate } from '../../text/index.ts';
import type { EmailContent } from '../email-content.ts';

/** Sent instead of a sign-up code to an address that already has an account. */
export const accountExists = (t: Translate, loginUrl: string): EmailContent => ({
  subject: t('accountExists.subject'),
  preview: t('accountExists.preview'),
  paragraphs: [t('accountExists.body')],
  action: { label: t('accountExists.action'), url: loginUrl },
});

/** Sent instead of a code to an address that a user wants for their account, and that is another account's. */
export const emailUsed = (t: Translate, loginUrl: string): EmailContent => ({
  ...accountExists(t, loginUrl),
  preview: t('emailUsed.preview'),
  paragraphs: [t('emailUsed.body')],
});
