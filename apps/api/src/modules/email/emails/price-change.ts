import { formatMoney } from '@fixpoint/texts/format.ts';
import { cancelBefore, subscriptionToRenew } from '../announced-price.ts';
import { defineEmail } from '../define-email.ts';
import { toSubscription } from '../links.ts';

/** Sent when a new renewal price is announced. Not sent once that is revoked, or the subscription does not renew. */
export const priceChange = defineEmail({
  name: 'priceChange',
  together: { kind: 'priceChange', pace: 'day' },
  async load(context) {
    const facts = await subscriptionToRenew(context);
    const from = facts?.row.announced_renewal_from;
    return from ? { ...facts, from } : undefined;
  },
  about: ({ values }) => values,
  content(context, { from, ...facts }) {
    const { t, language } = context;
    const { row, day } = facts;
    const values = {
      ...facts.values,
      old: formatMoney(row.renewal, row.currency, language),
      amount: formatMoney(row.announced_renewal!, row.currency, language),
      date: day(from),
    };
    return {
      subject: t('priceChange.subject', values),
      preview: t('priceChange.preview', values),
      paragraphs: [t('priceChange.body', values)],
      action: toSubscription(context),
      notes: cancelBefore(context, facts, from),
    };
  },
});
