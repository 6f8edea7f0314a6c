import { languages } from '@fixpoint/contract/languages.ts';
import type { EmailAttachment } from '../../ports/mailer.ts';
import type { EmailContext } from './define-email.ts';
import type { EmailContent } from './email-content.ts';
import type { EmailDeps } from './email-context.ts';
import { messageIdOf, renderEmail } from './render-email.ts';

/**
 * Renders an email and passes it to the mail server.
 * @param about names it: the same for every repetition, so that mailboxes show it once
 */
export async function sendContent(
  { mailer, publicUrl, brand }: EmailDeps,
  { t, language }: EmailContext,
  to: string,
  {
    about,
    content,
    attachments,
  }: {
    about: string[];
    content: EmailContent;
    attachments: readonly EmailAttachment[];
  },
): Promise<void> {
  const [template, ...rest] = about;
  await mailer.send({
    messageId: messageIdOf(template!, rest.filter(Boolean).join(' '), publicUrl),
    to,
    ...(await renderEmail(language, { t, brand }, content)),
    attachments,
    language: languages[language].tag,
  });
}
