import { formatDate, formatMoney, formatPercent } from '@fixpoint/texts/format.ts';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Db } from '../../ports/database.ts';
import type { EmailContent } from './email-content.ts';
import { itemText } from './render-email.ts';
import type { SubscriptionWriter } from './subscription-facts.ts';

type Writer = Omit<SubscriptionWriter, 'pageUrl'>;
type Email = (w: Writer) => Promise<EmailContent | undefined>;

/** The emails that take a receipt along: of what was ordered, of a period that a subscription was renewed for, of another plan. */
export function receiptEmails(db: Db): Record<'receipt' | 'renewed' | 'upgraded', Email> {
  return {
    receipt: w => receiptOf(db, w, () => w.t('receipt.body')),
    renewed: w =>
      receiptOf(
        db,
        w,
        ({ plan, end }) => end && w.t('renewed.body', { plan, date: formatDate(w.dates, end) }),
      ),
    upgraded: w =>
      receiptOf(
        db,
        w,
        // One that was paid too late has not begun, and is credit.
        ({ plan, paidUntil, delivered }) =>
          delivered && paidUntil
            ? w.t('upgraded.body', { plan, date: formatDate(w.dates, paidUntil) })
            : w.t('receipt.body'),
      ),
  };
}

/** A paid invoice, line by line. @param bodyOf undefined: there is nothing to say */
async function receiptOf(
  db: Db,
  { t, language, dates, subjectId }: Writer,
  bodyOf: (of: {
    plan: string;
    end: Date | null;
    paidUntil: Date | null;
    delivered: boolean;
  }) => string | null,
): Promise<EmailContent | undefined> {
  const invoice = await db
    .selectFrom('invoice')
    .leftJoin('shop_order', 'shop_order.id', 'invoice.order_id')
    .leftJoin('subscription', 'subscription.id', 'invoice.subscription_id')
    .select(['invoice.number', 'invoice.paid_at', 'invoice.currency', 'invoice.period_end'])
    .select(['invoice.net', 'invoice.vat', 'invoice.total', 'subscription.period_end as paid_until'])
    .select('shop_order.status as order_status')
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
  const { lines, pdf } = invoice;
  const [first] = lines;
  const { plan, cycleCount: months } = first!.text;
  const { period_end: end, paid_until: paidUntil, order_status: status } = invoice;
  const body = bodyOf({ plan, end, paidUntil, delivered: status === 'fulfilled' });
  if (!body) return undefined;
  const amount = (minor: number) => formatMoney(minor, invoice.currency, language);
  const rate = formatPercent(first!.vat_rate_bp / 10_000, language);
  return {
    subject: t('receipt.subject', { number: invoice.number }),
    preview: t('receipt.preview', { total: amount(invoice.total) }),
    paragraphs: [body],
    rows: [
      { label: t('receipt.number'), value: invoice.number },
      { label: t('receipt.date'), value: formatDate(dates, invoice.paid_at) },
      ...(lines.length === 1
        ? [{ label: t('receipt.item'), value: itemText(t, first!.text) }]
        : lines.map(({ text, total }) => ({ label: itemText(t, text), value: amount(total) }))),
      { label: t('receipt.net'), value: amount(invoice.net) },
      { label: t('receipt.vat', { rate }), value: amount(invoice.vat) },
      { label: t('receipt.total'), value: amount(invoice.total), strong: true },
    ],
    ...(invoice.renewal !== null && {
      notes: [t('receipt.renewal', { months, amount: amount(invoice.renewal) })],
    }),
    ...(pdf && { attached: { fileName: `${invoice.number}.pdf`, content: pdf } }),
  };
}
