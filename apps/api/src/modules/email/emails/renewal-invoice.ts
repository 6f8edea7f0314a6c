import { bangkokDaysBetween } from '@fixpoint/domain/kernel/bangkok.ts';
import { formatMoney } from '@fixpoint/texts/format.ts';
import { attachedDocument } from '../attached-document.ts';
import { defineEmail, type EmailContext } from '../define-email.ts';
import { type SubscriptionFacts, subscriptionFacts } from '../subscription-facts.ts';
import { subscriptionName } from '../subscription-name.ts';

/**
 * Sent with the invoice of a renewal that its customer has to pay: a manual renewal, or one that cannot be charged any more.
 * Not sent once the invoice is paid or void. Its link pays this invoice alone, without a login.
 */
export const renewalInvoice = defineEmail({
  name: 'renewalDue',
  together: { kind: 'renewalDue', pace: 'day' },
  async load(context) {
    const facts = await subscriptionFacts(context);
    return facts?.payableUntilDay
      ? { ...facts, payableUntilDay: facts.payableUntilDay, payUrl: payUrl(context, facts.row.invoice_id!) }
      : undefined;
  },
  content(context, facts) {
    const { t, language } = context;
    const { row, isPast, nextPeriodValues, payableUntilDay, payUrl } = facts;
    const carried = row.carried_in ?? 0;
    const end = nextPeriodValues.date;
    const values = { ...nextPeriodValues, reference: row.reference!, end, date: payableUntilDay };
    return {
      subject: t('renewalDue.subject', {
        left: timeLeft(context, facts).left,
        amount: nextPeriodValues.amount,
        item: subscriptionName(nextPeriodValues),
      }),
      preview: t('renewalDue.preview', values),
      paragraphs: [
        t(isPast(row.period_end) ? 'renewalDue.late' : 'renewalDue.body', values),
        ...(carried > 0
          ? [t('renewalAhead.carried', { amount: formatMoney(carried, row.currency, language) })]
          : []),
      ],
      rows: periodRows(context, facts),
      action: { label: t('renewalDue.action'), url: payUrl },
      notes: [t('renewalDue.note'), t('renewalDue.link')],
    };
  },
  line(context, facts) {
    const { row, nextPeriodValues, payableUntilDay, due, payUrl } = facts;
    const { amount } = nextPeriodValues;
    return {
      row: {
        label: `${subscriptionName(nextPeriodValues)} · ${row.reference!}`,
        value: context.t('renewalDue.row', { amount, date: payableUntilDay }),
        url: payUrl,
      },
      money: { currency: row.currency, amount: due },
      ...timeLeft(context, facts),
    };
  },
  attachment: (context, { row }) =>
    attachedDocument(context, { kind: 'invoice', ofId: row.invoice_id! }, row.reference!),
});

/** The token stands in the fragment: no server and no log ever sees it (S14). */
const payUrl = ({ pageAt, payToken }: EmailContext, invoiceId: string): string =>
  pageAt(`pay?token=${payToken(invoiceId)}`);

/** What the invoice pays for. */
const periodRows = ({ t }: EmailContext, { row, day, nextPeriodValues }: SubscriptionFacts) => [
  { label: t('receipt.item'), value: subscriptionName(nextPeriodValues) },
  ...(row.invoice_start && row.invoice_end
    ? [{ label: t('document.period'), value: `${day(row.invoice_start)} – ${day(row.invoice_end)}` }]
    : []),
];

/**
 * How urgent it is: the days of the paid time that are left, and once that is over, those on which it can still be paid.
 * @returns days until it cannot be paid any more, and the words that a subject begins with
 */
function timeLeft({ t, clock }: EmailContext, { row, payableUntilAt }: SubscriptionFacts) {
  const now = clock.now();
  const toEnd = bangkokDaysBetween(now, row.period_end);
  const days = payableUntilAt ? bangkokDaysBetween(now, payableUntilAt) : 0;
  if (toEnd > 1) return { days, left: t('left.days', { days: toEnd }) };
  if (toEnd === 1) return { days, left: t('left.tomorrow') };
  if (toEnd === 0 || days === 0) return { days, left: t('left.today') };
  return { days, left: t('left.overdue', { days }) };
}
