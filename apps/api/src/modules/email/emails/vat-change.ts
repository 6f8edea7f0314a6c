import { formatMoney, formatPercent } from '@fixpoint/texts/format.ts';
import { cancelBefore, subscriptionToRenew } from '../announced-price.ts';
import { defineEmail } from '../define-email.ts';
import { toSubscription } from '../links.ts';

/** Sent when another rate of VAT is announced. Not sent once that is revoked, or the subscription does not renew. */
export const vatChange = defineEmail({
  name: 'vatChange',
  async load(context) {
    const facts = await subscriptionToRenew(context);
    const from = facts?.row.announced_vat_from;
    return from ? { ...facts, from } : undefined;
  },
  content(context, { from, ...facts }) {
    const { t, language } = context;
    const { row, day } = facts;
    const rate = (bp: number) => formatPercent(bp / 10_000, language);
    const hasNewPrice = row.announced_renewal_from !== null && row.announced_renewal_from <= from;
    const price = hasNewPrice ? row.announced_renewal! : row.renewal;
    const values = {
      ...facts.values,
      old: rate(row.vat_rate_bp),
      rate: rate(row.announced_vat_rate_bp!),
      amount: formatMoney(price, row.currency, language),
      date: day(from),
    };
    return {
      subject: t('vatChange.subject', values),
      preview: t('vatChange.preview', values),
      paragraphs: [t('vatChange.body', values)],
      action: toSubscription(context),
      notes: [cancelBefore(context, facts, from)],
    };
  },
});
