import { formatDate, formatMoney, formatPercent } from '@fixpoint/texts/format.ts';
import { renewalSentence } from '@fixpoint/texts/renewal-sentence.ts';
import { sql } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import type { EmailAttachment } from '../../ports/mailer.ts';
import { paysItsInvoice } from '../billing/index.ts';
import { invoiceLineText, paymentName } from '../text/index.ts';
import type { EmailContext } from './define-email.ts';
import type { EmailContent } from './email-content.ts';
import type { EmailLine } from './email-line.ts';
import { subscriptionName } from './subscription-name.ts';

export type ReceiptFacts = NonNullable<Awaited<ReturnType<typeof receiptFacts>>>;

/** Loads a paid invoice with its lines and its receipt; undefined for one that is not paid. */
export async function receiptFacts(context: EmailContext) {
  const { db, subjectId } = context;
  const invoice = await db
    .selectFrom('invoice')
    .leftJoin('shop_order', 'shop_order.id', 'invoice.order_id')
    .leftJoin('subscription', 'subscription.id', 'invoice.subscription_id')
    .leftJoin('subscription as bought', 'bought.order_id', 'invoice.order_id')
    .leftJoin('subscription_period as period', 'period.invoice_id', 'invoice.id')
    .leftJoin('static_ip', join =>
      join.on(
        sql<boolean>`static_ip.subscription_id = coalesce(subscription.id, shop_order.subscription_id, bought.id)`,
      ),
    )
    .select(['invoice.seller', 'period.starts_at', 'period.ends_at'])
    .select(sql<string | null>`host(static_ip.address)`.as('address'))
    .select(['invoice.number', 'invoice.paid_at', 'invoice.currency', 'invoice.period_end'])
    .select(['invoice.net', 'invoice.vat', 'invoice.total', 'subscription.period_end as paid_until'])
    .select(['invoice.carried_out', 'invoice.carried_in'])
    .select(['shop_order.status as order_status', 'invoice.subscription_id', 'invoice.customer_id'])
    .select('subscription.label')
    .select(eb => [
      eb.fn.coalesce('shop_order.renewal', 'subscription.coming_renewal').as('renewal'),
      jsonArrayFrom(
        eb
          .selectFrom('invoice_line as line')
          .select(['line.text', 'line.vat_rate_bp', 'line.total'])
          .whereRef('line.invoice_id', '=', 'invoice.id')
          .orderBy('line.position'),
      ).as('lines'),
      jsonObjectFrom(
        eb
          .selectFrom('attempt')
          .select(['attempt.method', 'attempt.paid_with as card'])
          .whereRef('attempt.invoice_id', '=', 'invoice.id')
          .where(paysItsInvoice)
          .limit(1),
      ).as('paidBy'),
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
  const { number, paid_at: paidAt, lines } = invoice;
  const charged = await isChargedNext(context, invoice);
  return {
    ...invoice,
    number,
    paidAt,
    charged,
    first: lines[0]!,
    plan: lines[0]!.text.plan,
    address: invoice.address ?? '',
  };
}

/** Whether the renewal after an invoice is charged by us; not while it belongs to no subscription. */
async function isChargedNext(
  { db, willBeCharged }: EmailContext,
  of: { customer_id: string | null; subscription_id: string | null },
): Promise<boolean> {
  const { customer_id: customerId, subscription_id: subscriptionId } = of;
  return customerId !== null && subscriptionId !== null && willBeCharged(db, { customerId, subscriptionId });
}

/** Lists a paid invoice line by line. @param body the paragraph above it */
export function receiptContent(
  { t, ui, language, dates, hasEnded }: EmailContext,
  { number, paidAt, currency, net, vat, total, renewal, charged, lines, first, ...facts }: ReceiptFacts,
  body: string,
): EmailContent {
  const amount = (minor: number) => formatMoney(minor, currency, language);
  const rate = formatPercent(first.vat_rate_bp / 10_000, language);
  return {
    subject: t('receipt.subject', { item: subscriptionName(facts), total: amount(total) }),
    preview: t('receipt.preview', { total: amount(total) }),
    paragraphs: [body],
    rows: [
      { label: t('receipt.number'), value: number },
      { label: t('receipt.date'), value: formatDate(dates, paidAt) },
      ...(lines.length === 1
        ? [{ label: t('receipt.item'), value: invoiceLineText(t, first.text) }]
        : lines.map(line => ({ label: invoiceLineText(t, line.text), value: amount(line.total) }))),
      ...row(t('receipt.address'), facts.address),
      ...row(
        t('document.period'),
        facts.starts_at && `${formatDate(dates, facts.starts_at)} – ${formatDate(dates, facts.ends_at!)}`,
      ),
      { label: t('receipt.net'), value: amount(net) },
      { label: t('receipt.vat', { rate }), value: amount(vat) },
      { label: t('receipt.total'), value: amount(total), strong: true },
      ...row(t('document.carriedIn'), facts.carried_in > 0 && amount(facts.carried_in)),
      ...row(t('document.carriedOut'), facts.carried_out > 0 && amount(facts.carried_out)),
      ...row(t('document.paidWith'), facts.paidBy && paymentName(facts.paidBy, t)),
      ...row(t('receipt.seller'), facts.seller.company || facts.seller.brand),
    ],
    ...(renewal !== null &&
      !hasEnded && {
        notes: [renewalSentence(ui, { charged, months: first.text.cycleCount, amount: amount(renewal) })],
      }),
  };
}

const row = (label: string, value: string | null | false) => (value ? [{ label, value }] : []);

/** A receipt's row among several. */
export function receiptLine(
  { t, language }: EmailContext,
  { number, currency, total, paidBy, ...facts }: ReceiptFacts,
): EmailLine {
  const paid = [formatMoney(total, currency, language), ...(paidBy ? [paymentName(paidBy, t)] : [])];
  return {
    row: { label: `${number} · ${subscriptionName(facts)}`, value: paid.join(', ') },
    money: { currency, amount: total },
  };
}

/** Attaches the receipt; undefined where none could be rendered. */
export const attachedReceipt = ({ number, pdf }: ReceiptFacts): EmailAttachment | undefined =>
  pdf ? { fileName: `${number}.pdf`, content: pdf } : undefined;
