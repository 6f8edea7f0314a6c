import { formatMoney } from '@fixpoint/texts/format.ts';
import { attachedDocument } from '../attached-document.ts';
import { defineEmail } from '../define-email.ts';
import { toPayment } from '../links.ts';
import { subscriptionFacts } from '../subscription-facts.ts';

/**
 * Sent with the invoice of a renewal that its customer has to pay: a manual renewal, or one that cannot be charged any more.
 * Not sent once the invoice is paid or void.
 */
export const renewalInvoice = defineEmail({
  name: 'renewalDue',
  async load(context) {
    const facts = await subscriptionFacts(context);
    return facts?.payableUntilDay ? { ...facts, payableUntilDay: facts.payableUntilDay } : undefined;
  },
  content(context, { row, isPast, nextPeriodValues, payableUntilDay }) {
    const { t, language } = context;
    const carried = row.carried_in ?? 0;
    const end = nextPeriodValues.date;
    const values = { ...nextPeriodValues, reference: row.reference!, end, date: payableUntilDay };
    return {
      subject: t('renewalDue.subject', nextPeriodValues),
      preview: t('renewalDue.preview', values),
      paragraphs: [
        t(isPast(row.period_end) ? 'renewalDue.late' : 'renewalDue.body', values),
        ...(carried > 0
          ? [t('renewalAhead.carried', { amount: formatMoney(carried, row.currency, language) })]
          : []),
      ],
      action: toPayment(context),
      notes: [t('renewalDue.note')],
    };
  },
  attachment: (context, { row }) =>
    attachedDocument(context, { kind: 'invoice', ofId: row.invoice_id! }, row.reference!),
});
