import { effectiveFrom } from '@fixpoint/domain/subscription/price-notice.ts';
import { formatMoney, formatPercent } from '@fixpoint/texts/format.ts';
import { cancelBefore, subscriptionToRenew } from '../announced-price.ts';
import { defineEmail } from '../define-email.ts';
import { toSubscription } from '../links.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Sent when another rate of VAT is announced: what is paid from its day on contains it. Not sent once that is revoked, or the subscription does not renew. */
export const vatChange = defineEmail({
  name: 'vatChange',
  together: { kind: 'vatChange', pace: 'day' },
  async load(context) {
    const facts = await subscriptionToRenew(context);
    const from = facts?.row.announced_vat_from;
    return from ? { ...facts, from } : undefined;
  },
  about: ({ values }) => values,
  content(context, { from, ...facts }) {
    const { t, language } = context;
    const { row, day } = facts;
    const rate = (bp: number) => formatPercent(bp / 10_000, language);
    // The first period that is charged on that day or later, which is a day before it begins.
    const coming = { anchor: row.anchor_at!, start: row.period_end, cycleCount: row.cycle_count };
    const first = effectiveFrom({ ...coming, invoiced: false }, new Date(from.getTime() + DAY_MS));
    const hasNewPrice = row.announced_renewal_from !== null && row.announced_renewal_from <= first;
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
      notes: cancelBefore(context, facts, first),
    };
  },
});
