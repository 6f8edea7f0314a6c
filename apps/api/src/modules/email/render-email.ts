import { createHash } from 'node:crypto';
import type { Language } from '@fixpoint/contract/languages.ts';
import type { Email } from '../../ports/mailer.ts';
import type { Brand, Translate } from '../text/index.ts';
import type { EmailContent } from './email-content.ts';
import { emailHtml } from './email-html.ts';

/**
 * Renders an email's subject, plain text and HTML. Subjects consist of our texts, codes and numbers, never of text that a
 * customer typed (S17).
 */
export async function renderEmail(
  language: Language,
  { t, brand }: { t: Translate; brand: Pick<Brand, 'name' | 'colours'> },
  content: EmailContent,
): Promise<Pick<Email, 'subject' | 'text' | 'html'>> {
  return {
    subject: content.subject,
    text: plainText(t, content),
    html: await emailHtml(language, { t, brand }, content),
  };
}

function plainText(t: Translate, content: EmailContent): string {
  const rows = content.rows
    ?.flatMap(({ label, value, url }) => [t('plain.row', { label, value }), ...(url ? [url] : [])])
    .join('\n');
  const parts = content.parts?.flatMap(({ title, paragraphs, action }) => [
    title,
    ...paragraphs,
    action && `${t('plain.action', { label: action.label })}\n${action.url}`,
  ]);
  return [
    t('greeting'),
    ...content.paragraphs,
    content.code,
    rows,
    ...(parts ?? []),
    content.action && `${t('plain.action', { label: content.action.label })}\n${content.action.url}`,
    ...(content.notes ?? []),
    t('closing'),
    t('help'),
  ]
    .filter(Boolean)
    .join('\n\n');
}

/**
 * Message-ID of the email about a subject: the same when a job sends it again, so that mailboxes show it once. The ID of
 * the subject is hashed because a refresh token begins with the ID of its session.
 */
export function messageIdOf(about: string, subjectId: string, publicUrl: string): string {
  const name = createHash('sha256').update(`${about} ${subjectId}`).digest('hex').slice(0, 32);
  return `<${name}@${new URL(publicUrl).hostname}>`;
}
