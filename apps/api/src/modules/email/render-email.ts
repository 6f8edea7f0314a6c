import { createHash } from 'node:crypto';
import type { Language } from '@fixpoint/contract/languages.ts';
import type { DateText } from '@fixpoint/texts/format.ts';
import { fillMessage } from '@fixpoint/texts/message.ts';
import type { Db } from '../../ports/database.ts';
import type { LineText } from '../../ports/json-columns.ts';
import type { Email } from '../../ports/mailer.ts';
import { emailTexts, uiTexts } from '../text/index.ts';
import type { EmailContent, Say } from './email-content.ts';
import { emailHtml } from './email-html.ts';

export type Brand = { name: string; support: string };

/** What a line of an invoice is for. */
export const itemText = (t: Say, { kind, plan, place, cycleCount: months, days = 0 }: LineText): string =>
  kind === 'period'
    ? t('receipt.itemText', { plan, region: place, months })
    : t(kind === 'days' ? 'receipt.daysText' : 'receipt.unusedText', { plan, region: place, days });

export type Voice = {
  t: Say;
  dates: DateText;
  /** The name of a region or a plan as the screens say it; undefined where the texts have none. */
  nameOf(kind: 'region' | 'plans.name', id: string): string | undefined;
  /** A browser and its system as the list of sessions names them. */
  device(names: { browser: string; system: string }): string;
};

/** How an email speaks: the texts of emails and screens in a language, with the operator's own words. */
export async function emailVoice(db: Db, language: Language, brand: Brand): Promise<Voice> {
  const [texts, ui] = [await emailTexts(db, language), await uiTexts(db, language)];
  // A link that an email quotes is called as on the screen.
  const always = { brand: brand.name, support: brand.support, forgot: ui['forgot.title']! };
  return {
    t: (key, values) => fillMessage(texts[key]!, language, { ...always, ...values }),
    dates: (key, values) => fillMessage(ui[key]!, language, values),
    nameOf: (kind, id) => ui[`${kind}.${id}`],
    device: names => fillMessage(ui['account.sessions.name']!, language, names),
  };
}

/**
 * Everything of an email but its receiver. Subjects are made of our texts, codes and numbers, never of what a
 * customer typed (S17).
 */
export async function writeEmail(
  language: Language,
  { t, brand }: { t: Say; brand: Brand },
  content: EmailContent,
): Promise<Pick<Email, 'subject' | 'text' | 'html'>> {
  return {
    subject: content.subject,
    text: emailText(t, content),
    html: await emailHtml(language, { t, brand: brand.name }, content),
  };
}

/** Plain-text form. */
function emailText(t: Say, content: EmailContent): string {
  const rows = content.rows?.map(({ label, value }) => t('plain.row', { label, value })).join('\n');
  return [
    t('greeting'),
    ...content.paragraphs,
    content.code,
    rows,
    content.action && `${t('plain.action', { label: content.action.label })}\n${content.action.url}`,
    ...(content.notes ?? []),
    t('closing'),
    t('help'),
  ]
    .filter(Boolean)
    .join('\n\n');
}

/**
 * Message-ID of the email about a thing: the same when a job sends it again, so that mailboxes show it once. The id of the
 * thing is hashed: a refresh token begins with the one of its session.
 */
export function emailId(about: string, subjectId: string, publicUrl: string): string {
  const name = createHash('sha256').update(`${about} ${subjectId}`).digest('hex').slice(0, 32);
  return `<${name}@${new URL(publicUrl).hostname}>`;
}
