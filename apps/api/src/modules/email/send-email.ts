import { isLanguage, type Language, languages } from '@fixpoint/contract/languages.ts';
import { formatMoney } from '@fixpoint/texts/format.ts';
import { sql } from 'kysely';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { EmailTemplate, JobData, LoginChange } from '../../ports/jobs.ts';
import type { Mailer } from '../../ports/mailer.ts';
import type { RefundAsks } from '../../ports/payment-gateway.ts';
import { issueLink, pseudonymOf } from '../account/index.ts';
import { attached } from './attached-document.ts';
import { cardEmails } from './card-emails.ts';
import type { EmailContent } from './email-content.ts';
import { keyEmails } from './key-emails.ts';
import { priceEmails } from './price-emails.ts';
import { receiptEmails } from './receipt-emails.ts';
import { type Brand, emailId, emailVoice, writeEmail } from './render-email.ts';
import { subscriptionEmails } from './subscription-emails.ts';
import type { SubscriptionWriter } from './subscription-facts.ts';
import { usageEmails } from './usage-emails.ts';

export type EmailDeps = {
  db: Db;
  clock: Clock;
  mailer: Mailer;
  publicUrl: string;
  brand: Brand;
  renewsByItself(db: Db, of: { customerId: string; subscriptionId: string }): Promise<boolean>;
  refundAsks(refundId: string): Promise<RefundAsks | undefined>;
};
type Writer = SubscriptionWriter & { customerId: string; change?: LoginChange };

/** An email that only says something. */
const notice =
  (name: EmailTemplate) =>
  async ({ t }: Writer): Promise<EmailContent> => ({
    subject: t(`${name}.subject`),
    preview: t(`${name}.preview`),
    paragraphs: [t(`${name}.body`)],
  });

/**
 * Writes and sends the emails. A job names the customer and the subject; the address and the tokens of links are looked
 * up or made only here, so that no queue ever holds them.
 */
export function createSendEmail(deps: EmailDeps): (job: JobData['sendEmail']) => Promise<void> {
  const { db, clock, publicUrl, brand } = deps;

  const emails: Record<EmailTemplate, (w: Writer) => Promise<EmailContent | undefined>> = {
    async welcome({ t, customerId, pageAt }) {
      const token = await issueLink(db, clock, customerId);
      return {
        subject: t('welcome.subject'),
        preview: t('welcome.preview'),
        paragraphs: [t('welcome.body')],
        // The token stands in the fragment: no server and no log ever sees it (S14).
        action: { label: t('welcome.action'), url: pageAt(`auth/reset-password?token=${token}`) },
        notes: [t('welcome.note')],
      };
    },

    /** To whom an address is that a buyer said was his (FU6): it has an account, which nobody but he is told. */
    async emailTaken({ t }) {
      const body = t('emailTaken.body');
      return { subject: t('accountExists.subject'), preview: body, paragraphs: [body] };
    },

    ...receiptEmails(db),
    ...subscriptionEmails(db, deps.renewsByItself),
    ...priceEmails(db),
    ...cardEmails(db),
    ...keyEmails(db),
    ...usageEmails(db),

    async refunded({ t, language, subjectId }) {
      const refund = await db
        .selectFrom('refund')
        .leftJoin('credit_note', 'credit_note.id', 'refund.credit_note_id')
        .leftJoin('invoice', 'invoice.id', 'credit_note.invoice_id')
        .select(['refund.currency', 'refund.amount', 'invoice.number as invoice'])
        .where('refund.id', '=', subjectId)
        .executeTakeFirst();
      if (!refund) return undefined;
      const { invoice } = refund;
      const amount = formatMoney(refund.amount, refund.currency, language);
      return {
        subject: t('refunded.subject', { amount }),
        preview: t('refunded.preview', { amount }),
        paragraphs: [invoice ? t('creditNote.body', { amount, invoice }) : t('refunded.body', { amount })],
        notes: [t('refunded.note')],
      };
    },

    async refundFailed({ t, language, subjectId }) {
      const refund = await db
        .selectFrom('refund')
        .select(['currency', 'amount'])
        .where('id', '=', subjectId)
        .executeTakeFirst();
      if (!refund) return undefined;
      const amount = formatMoney(refund.amount, refund.currency, language);
      return {
        subject: t('refundFailed.subject', { amount }),
        preview: t('refundFailed.preview'),
        paragraphs: [t('refundFailed.body', { amount })],
        notes: [t('refundFailed.note')],
      };
    },

    async refundAsks(writer) {
      const { t, language, subjectId } = writer;
      const refund = await db
        .selectFrom('refund')
        .select(['currency', 'amount', 'reason'])
        .where('id', '=', subjectId)
        .executeTakeFirst();
      const asks = await deps.refundAsks(subjectId);
      // Said meanwhile: what came beyond an order is still to be told, a credit note was.
      if (!asks) return refund?.reason === 'unapplied' ? emails.refunded(writer) : undefined;
      const amount = formatMoney(refund!.amount, refund!.currency, language);
      const body = t(`refundAsks.${asks.kind}`, { amount });
      return {
        subject: t('refundAsks.subject', { amount }),
        preview: body,
        paragraphs: [body],
        ...(asks.kind === 'address' && { action: { label: t('refundAsks.action'), url: asks.url } }),
      };
    },

    async creditNote({ t, language, subjectId }) {
      const note = await db
        .selectFrom('credit_note')
        .innerJoin('invoice', 'invoice.id', 'credit_note.invoice_id')
        .select(['credit_note.number', 'credit_note.currency', 'credit_note.total', 'credit_note.credited'])
        .select(['credit_note.invoice_id', 'credit_note.pays_invoice_id as pays'])
        .select(['invoice.number as invoice', 'credit_note.dispute_id as dispute'])
        .where('credit_note.id', '=', subjectId)
        .executeTakeFirst();
      // Of an order that came too late: what it was to be paid with stays where it was.
      if (!note || note.pays === note.invoice_id) return undefined;
      const { number, dispute, credited, pays } = note;
      const keptBody = pays ? 'creditNote.prorated.body' : 'creditNote.credited.body';
      const why = dispute ? 'creditNote.disputed.body' : credited && keptBody;
      const amount = formatMoney(note.total, note.currency, language);
      const about = { amount, invoice: note.invoice! };
      return {
        ...(why
          ? {
              subject: t('creditNote.disputed.subject', { number }),
              preview: t(why, about),
              paragraphs: [t(why, about)],
            }
          : {
              subject: t('creditNote.subject', { number }),
              preview: t('refunded.preview', { amount }),
              paragraphs: [t('creditNote.body', about)],
              notes: [t('refunded.note')],
            }),
        ...(await attached(db, { kind: 'creditNote', ofId: subjectId }, number)),
      };
    },

    async credit({ language, t, subjectId }) {
      const credit = await db
        .selectFrom('ledger_entry')
        .select(['currency', 'amount'])
        .where('txn', '=', subjectId)
        .where('account', '=', 'credit')
        .executeTakeFirst();
      if (!credit) return undefined;
      const amount = formatMoney(-credit.amount, credit.currency, language);
      if (subjectId.startsWith('goodwill:')) {
        const given = t('credit.goodwill', { amount });
        return { subject: t('credit.subject', { amount }), preview: given, paragraphs: [given] };
      }
      return {
        subject: t('credit.subject', { amount }),
        preview: t('credit.preview', { amount }),
        paragraphs: [t('credit.body', { amount })],
        notes: [t('credit.note')],
      };
    },

    async ready({ t, nameOf, subjectId, pageUrl }) {
      const subscription = await db
        .selectFrom('subscription')
        .innerJoin('product', 'product.id', 'subscription.product_id')
        .innerJoin('region', 'region.id', 'product.region_id')
        .innerJoin('static_ip', 'static_ip.subscription_id', 'subscription.id')
        .select(['region.id as regionId', 'region.name as region'])
        .select(sql<string>`host(static_ip.address)`.as('address'))
        .where('subscription.id', '=', subjectId)
        .executeTakeFirst();
      if (!subscription) return undefined;
      const { regionId, region, address } = subscription;
      return {
        subject: t('ready.subject', { address }),
        preview: t('ready.preview', { address }),
        paragraphs: [t('ready.body', { region: nameOf('region', regionId) ?? region, address })],
        action: { label: t('ready.action'), url: pageUrl },
      };
    },

    async newSession({ t, device, subjectId, pageAt }) {
      const session = await db
        .selectFrom('session')
        .select(['browser', 'system'])
        .where('id', '=', subjectId)
        .executeTakeFirst();
      if (!session) return undefined;
      const { browser, system } = session;
      const named = browser && system ? device({ browser, system }) : (browser ?? system);
      return {
        subject: t('newSession.subject'),
        preview: t('newSession.preview'),
        paragraphs: [t('newSession.body', { device: named || t('newSession.unknownDevice') })],
        action: { label: t('newSession.action'), url: pageAt('management/my-account') },
      };
    },

    async loginChanged({ t, change, pageAt }) {
      return {
        subject: t('loginChanged.subject'),
        preview: t('loginChanged.preview'),
        paragraphs: [t(`loginChanged.${change}`), t('loginChanged.note')],
        action: { label: t('loginChanged.action'), url: pageAt('management/my-account') },
      };
    },

    accountDisabled: notice('accountDisabled'),
    accountDeleted: notice('accountDeleted'),
    passwordSet: notice('passwordSet'),
    sessionStolen: notice('sessionStolen'),
  };

  return async job => {
    const { template, subjectId, copy, change } = job;
    const receiver = await receiverOf(db, job);
    if (!receiver) return;
    const { email, language, customerId } = receiver;
    const voice = await emailVoice(db, language, brand);
    const pageAt = (path: string) => `${publicUrl}/#/${language}/${path}`;
    const pageUrl = pageAt(`management/subscription/${subjectId}`);
    const content = await emails[template]({
      ...voice,
      language,
      customerId,
      subjectId,
      copy,
      pageUrl,
      pageAt,
      change,
    });
    if (!content) return;
    await deps.mailer.send({
      messageId: emailId(template, copy ? `${subjectId} ${copy}` : subjectId, publicUrl),
      to: email,
      ...(await writeEmail(language, { ...voice, brand }, content)),
      ...(content.attached && { attached: content.attached }),
      language: languages[language].tag,
    });
  };
}

/** Whom an email goes to: a customer, or whoever ordered as a guest. Undefined for an address that was erased. */
async function receiverOf(
  db: Db,
  job: JobData['sendEmail'],
): Promise<{ email: string; language: Language; customerId: string } | undefined> {
  const known = (language: string): Language => (isLanguage(language) ? language : 'en');
  if (job.orderId) {
    const order = await db
      .selectFrom('shop_order')
      .select(['email', 'language'])
      .where('id', '=', job.orderId)
      .executeTakeFirst();
    if (!order?.email || !order.language) return undefined;
    return { email: order.email, language: known(order.language), customerId: '' };
  }
  const customer = await db
    .selectFrom('customer')
    .select(['id', 'email', 'language', 'status'])
    .where('id', '=', job.customerId!)
    .executeTakeFirst();
  // What is written to an account that ended is only that it ended, and how money goes back.
  const last: readonly EmailTemplate[] = [
    ...(['accountDisabled', 'accountDeleted', 'creditNote'] as const),
    ...(['refunded', 'refundAsks', 'refundFailed'] as const),
  ];
  if (!customer || (customer.status !== 'active' && !last.includes(job.template))) return undefined;
  if (customer.email === pseudonymOf(customer.id)) return undefined;
  return { email: customer.email, language: known(customer.language), customerId: customer.id };
}
