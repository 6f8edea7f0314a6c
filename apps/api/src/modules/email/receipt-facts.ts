import { formatDate, formatMoney, formatPercent } from '@fixpoint/texts/format.ts';
import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { EmailAttachment } from '../../ports/mailer.ts';
import { invoiceLineText } from '../text/index.ts';
import type { EmailContext } from './define-email.ts';
import type { EmailContent } from './email-content.ts';
import { subscriptionNameOf } from './subscription-name.ts';

export type ReceiptFacts = NonNullable<Awaited<ReturnType<typeof receiptFacts>>>;

/** Loads a paid invoice with its lines and its receipt; undefined for one that is not paid. */
export async function receiptFacts({ db, subjectId }: EmailContext) {
  const invoice = await db
    .selectFrom('invoice')
    .leftJoin('shop_order', 'shop_order.id', 'invoice.order_id')
    .leftJoin('subscription', 'subscription.id', 'invoice.subscription_id')
    .select(['invoice.number', 'invoice.paid_at', 'invoice.currency', 'invoice.period_end'])
    .select(['invoice.net', 'invoice.vat', 'invoice.total', 'subscription.period_end as paid_until'])
    .select(['invoice.carried_out', 'invoice.carried_in'])
    .select('shop_order.status as order_status')
    .select(subscriptionNameOf(sql.ref('invoice.subscription_id')).as('name'))
    .select(eb => [
      eb.fn.coalesce('shop_order.renewal', 'subscription.coming_renewal').as('renewal'),
      jsonArrayFrom(
        eb
          .selectFrom('invoice_line as line')
          .select(['line.text', 'line.vat_rate_bp', 'line.total'])
          .whereRef('line.invoice_id', '=', 'invoice.id')
          .orderBy('line.position'),
      ).as('lines'),
      eb
        .selectFrom('document')
        .select('document.pdf')
        .whereRef('document.invoice_id', '=', 'invoice.id')
        .where('document.kind', '=', 'receipt')
        .as('pdf'),
    ])
    .where('invoice.id', '=', subjectId)
    .executeTakeFirst();
  if (!invoice?.number || !invoice.paid_at) return undefined;
  const { number, paid_at: paidAt, lines, name } = invoice;
  const values = { subscriptionName: name ?? '' };
  return { ...invoice, values, number, paidAt, first: lines[0]!, plan: lines[0]!.text.plan };
}

/** Lists a paid invoice line by line. @param body the paragraph above it */
export function receiptContent(
  { t, language, dates }: EmailContext,
  { number, paidAt, currency, net, vat, total, renewal, lines, first, ...carried }: ReceiptFacts,
  body: string,
): EmailContent {
  const amount = (minor: number) => formatMoney(minor, currency, language);
  const rate = formatPercent(first.vat_rate_bp / 10_000, language);
  return {
    subject: t('receipt.subject', { number }),
    preview: t('receipt.preview', { total: amount(total) }),
    paragraphs: [body],
    rows: [
      { label: t('receipt.number'), value: number },
      { label: t('receipt.date'), value: formatDate(dates, paidAt) },
      ...(lines.length === 1
        ? [{ label: t('receipt.item'), value: invoiceLineText(t, first.text) }]
        : lines.map(line => ({ label: invoiceLineText(t, line.text), value: amount(line.total) }))),
      { label: t('receipt.net'), value: amount(net) },
      { label: t('receipt.vat', { rate }), value: amount(vat) },
      { label: t('receipt.total'), value: amount(total), strong: true },
      ...(carried.carried_in > 0
        ? [{ label: t('document.carriedIn'), value: amount(carried.carried_in) }]
        : []),
      ...(carried.carried_out > 0
        ? [{ label: t('document.carriedOut'), value: amount(carried.carried_out) }]
        : []),
    ],
    ...(renewal !== null && {
      notes: [t('receipt.renewal', { months: first.text.cycleCount, amount: amount(renewal) })],
    }),
  };
}

/** Attaches the receipt; undefined where none could be rendered. */
export const attachedReceipt = ({ number, pdf }: ReceiptFacts): EmailAttachment | undefined =>
  pdf ? { fileName: `${number}.pdf`, content: pdf } : undefined;
