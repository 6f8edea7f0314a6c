import type { Translate } from '../../text/index.ts';
import type { EmailContent } from '../email-content.ts';

/** Sent when somebody signs up, resets a password or changes one: carries the code of that challenge. */
export const oneTimeCode = (
  t: Translate,
  { code, purpose }: { code: string; purpose: string },
): EmailContent => ({
  // The code stands first in the subject: a phone shows it without opening the email.
  subject: t('code.subject', { code }),
  preview: t('code.preview'),
  paragraphs: [t(`code.${purpose}`)],
  code,
  notes: [t('code.note')],
});
