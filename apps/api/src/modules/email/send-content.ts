import { languages } from '@fixpoint/contract/languages.ts';
import type { EmailAttachment } from '../../ports/mailer.ts';
import { issueLink } from '../account/index.ts';
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
  context: EmailContext,
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
  const { t, language, isNew, customerId } = context;
  const [template, ...rest] = about;
  const messageId = messageIdOf(template!, rest.filter(Boolean).join(' '), publicUrl);
  await mailer.send({
    messageId,
    to,
    ...(await renderEmail(language, { t, brand }, isNew ? await throughPassword(context, content) : content)),
    attachments,
    language: languages[language].tag,
  });
  // A guest has no page on which staff would look for it.
  if (customerId) {
    const sent = parts.map(([name = '', subjectId = '']) => ({ messageId, template: name, subjectId }));
    await recordSent(db, clock.now(), customerId, sent);
  }
}

/** Beginning of the paths of pages that only a customer who is logged in can open. */
const AREA = 'management/';

/**
 * Leads every link of an email to the account area through setting the first password: its reader could not log in. One token
 * for each email, so that the first of them is not needed any more.
 */
async function throughPassword(
  { db, systemClock, customerId, pageAt }: EmailContext,
  content: EmailContent,
): Promise<EmailContent> {
  const area = pageAt(AREA);
  const { action, rows, parts } = content;
  const links = [action, ...(rows ?? []), ...(parts ?? []).map(part => part.action)];
  if (!links.some(link => link?.url?.startsWith(area))) return content;
  // Made only here, so that no queue ever holds it. It stands in the fragment: no server and no log ever sees it (S14).
  const token = await issueLink(db, systemClock, customerId);
  const lead = <Link extends { url?: string }>(link: Link): Link => {
    if (!link.url?.startsWith(area)) return link;
    const next = encodeURIComponent(link.url.slice(area.length));
    return { ...link, url: pageAt(`auth/reset-password?token=${token}&next=${next}`) };
  };
  return {
    ...content,
    ...(action && { action: lead(action) }),
    ...(rows && { rows: rows.map(lead) }),
    ...(parts && {
      parts: parts.map(part => ({ ...part, ...(part.action && { action: lead(part.action) }) })),
    }),
  };
}
