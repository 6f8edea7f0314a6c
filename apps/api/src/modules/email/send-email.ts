import { type Language, languageOrDefault, languages } from '@fixpoint/contract/languages.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { JobData } from '../../ports/jobs.ts';
import type { Mailer } from '../../ports/mailer.ts';
import { pseudonymOf } from '../account/index.ts';
import { type Brand, loadTranslator } from '../text/index.ts';
import type { EmailSources } from './define-email.ts';
import { emails } from './emails/index.ts';
import { messageIdOf, renderEmail } from './render-email.ts';

export type EmailDeps = EmailSources & {
  db: Db;
  clock: Clock;
  mailer: Mailer;
  publicUrl: string;
  brand: Brand;
};

/**
 * Renders and sends the email of a job. The job names the customer and the subject; the address and the tokens of links are
 * looked up or made only here, so that no queue ever holds them.
 */
export function createSendEmail(deps: EmailDeps): (job: JobData['sendEmail']) => Promise<void> {
  const { db, clock, publicUrl, brand, mailer, collectionMethod, refundAsks } = deps;
  return async job => {
    const { template, subjectId, copy, change } = job;
    const recipient = await recipientOf(db, job);
    if (!recipient) return;
    const { email, language, customerId } = recipient;
    const translator = await loadTranslator(db, language, brand);
    const pageAt = (path: string) => `${publicUrl}/#/${language}/${path}`;
    const written = await emails[template].write({
      ...translator,
      db,
      clock,
      language,
      customerId,
      subjectId,
      copy,
      change,
      pageUrl: pageAt(`management/subscription/${subjectId}`),
      pageAt,
      collectionMethod,
      refundAsks,
    });
    if (!written) return;
    const { content, attachment } = written;
    await mailer.send({
      messageId: messageIdOf(template, copy ? `${subjectId} ${copy}` : subjectId, publicUrl),
      to: email,
      ...(await renderEmail(language, { t: translator.t, brand }, content)),
      ...(attachment && { attachment }),
      language: languages[language].tag,
    });
  };
}

type Recipient = { email: string; language: Language; customerId: string };

/**
 * The customer, or the guest of an order. Undefined for an erased address, and for an ended account unless the email is about
 * its end or about a refund.
 */
async function recipientOf(db: Db, job: JobData['sendEmail']): Promise<Recipient | undefined> {
  if (job.orderId) {
    const order = await db
      .selectFrom('shop_order')
      .select(['email', 'language'])
      .where('id', '=', job.orderId)
      .executeTakeFirst();
    if (!order?.email || !order.language) return undefined;
    return { email: order.email, language: languageOrDefault(order.language), customerId: '' };
  }
  const customer = await db
    .selectFrom('customer')
    .select(['id', 'email', 'language', 'status'])
    .where('id', '=', job.customerId!)
    .executeTakeFirst();
  if (!customer || customer.email === pseudonymOf(customer.id)) return undefined;
  if (customer.status !== 'active' && !emails[job.template].toEndedAccounts) return undefined;
  return { email: customer.email, language: languageOrDefault(customer.language), customerId: customer.id };
}
