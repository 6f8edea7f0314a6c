import { formatDate, formatMoney, formatPercent } from '@fixpoint/texts/format.ts';
import type { Db } from '../ports/database.ts';
import { attached } from './attached.ts';
import type { LetterContent } from './letter-content.ts';
import type { SubscriptionWriter } from './subscription-letters.ts';

type Writer = Omit<SubscriptionWriter, 'pageUrl'>;
type Letter = (w: Writer) => Promise<LetterContent | undefined>;

/** The letters that take a receipt along: of what was ordered, and of a period that a subscription was renewed for. */
export function receiptLetters(db: Db): Record<'receipt' | 'renewed', Letter> {
  return {
    receipt: w => receiptOf(db, w, () => w.t('receipt.body')),
    renewed: w =>
      receiptOf(
        db,
        w,
        ({ plan, end }) => end && w.t('renewed.body', { plan, date: formatDate(w.dates, end) }),
      ),
  };
}

/** A paid invoice, line by line. @param bodyOf undefined: there is nothing to say */
async function receiptOf(
  db: Db,
  { t, language, dates, subjectId }: Writer,
  bodyOf: (of: { plan: string; end: Date | null }) => string | null,
): Promise<LetterContent | undefined> {
  const invoice = await db
    .selectFrom('invoice')
    .innerJoin('invoice_line as line', 'line.invoice_id', 'invoice.id')
    .leftJoin('shop_order', 'shop_order.id', 'invoice.order_id')
    .leftJoin('subscription', 'subscription.id', 'invoice.subscription_id')
    .select(['invoice.number', 'invoice.paid_at', 'invoice.currency', 'invoice.period_end'])
    .select(['invoice.net', 'invoice.vat', 'invoice.total', 'line.text', 'line.vat_rate_bp'])
    .select(eb => eb.fn.coalesce('shop_order.renewal', 'subscription.renewal').as('renewal'))
    .where('invoice.id', '=', subjectId)
    .orderBy('line.position')
    .executeTakeFirst();
  if (!invoice?.number || !invoice.paid_at) return undefined;
  const { plan, place, cycleCount: months } = invoice.text;
  const body = bodyOf({ plan, end: invoice.period_end });
  if (!body) return undefined;
  const amount = (minor: number) => formatMoney(minor, invoice.currency, language);
  const rate = formatPercent(invoice.vat_rate_bp / 10_000, language);
  return {
    subject: t('receipt.subject', { number: invoice.number }),
    preview: t('receipt.preview', { total: amount(invoice.total) }),
    paragraphs: [body],
    rows: [
      { label: t('receipt.number'), value: invoice.number },
      { label: t('receipt.date'), value: formatDate(dates, invoice.paid_at) },
      { label: t('receipt.item'), value: t('receipt.itemText', { plan, region: place, months }) },
      { label: t('receipt.net'), value: amount(invoice.net) },
      { label: t('receipt.vat', { rate }), value: amount(invoice.vat) },
      { label: t('receipt.total'), value: amount(invoice.total), strong: true },
    ],
    ...(invoice.renewal !== null && {
      notes: [t('receipt.renewal', { months, amount: amount(invoice.renewal) })],
    }),
    ...(await attached(db, { kind: 'receipt', ofId: subjectId }, invoice.number)),
  };
}
