import { languages } from '@fixpoint/contract/languages.ts';
import type { EmailAttachment } from '../../ports/mailer.ts';
import type { EmailContext } from './define-email.ts';
import type { EmailContent } from './email-content.ts';
import type { EmailDeps } from './email-context.ts';
import { messageIdOf, renderEmail } from './render-email.ts';
import { recordSent } from './sent-emails.ts';

/**
 * Renders an email, passes it to the mail server, and records that to its customer.
 * @param about names it: the same for every repetition, so that mailboxes show it once
 * @param parts the emails that leave as this one
 */
export async function sendContent(
  { db, clock, mailer, publicUrl, brand }: EmailDeps,
  { t, language, customerId }: EmailContext,
  to: string,
  {
    about,
    parts = [about],
    content,
    attachments,
  }: {
    about: string[];
    parts?: readonly string[][];
    content: EmailContent;
    attachments: readonly EmailAttachment[];
  },
): Promise<void> {
  const [template, ...rest] = about;
  const messageId = messageIdOf(template!, rest.filter(Boolean).join(' '), publicUrl);
  await mailer.send({
    messageId,
    to,
    ...(await renderEmail(language, { t, brand }, content)),
    attachments,
    language: languages[language].tag,
  });
  // A guest has no page on which staff would look for it.
  if (customerId) {
    const sent = parts.map(([name = '', subjectId = '']) => ({ messageId, template: name, subjectId }));
    await recordSent(db, clock.now(), customerId, sent);
  }
}
