import { defineEmail } from '../define-email.ts';
import { toSubscription } from '../links.ts';
import { subscriptionFacts } from '../subscription-facts.ts';

/** Sent when a subscription has ended: names until when its address is reserved. Not sent once it is reactivated. */
export const subscriptionExpired = defineEmail({
  name: 'expired',
  together: { kind: 'expired', pace: 'minutes' },
  async load(context) {
    const facts = await subscriptionFacts(context);
    return facts?.row.status === 'expired' ? facts : undefined;
  },
  about: ({ values }) => values,
  content(context, { row, values, day, isPast }) {
    const { t } = context;
    const until = row.reserved_until && !isPast(row.reserved_until) ? row.reserved_until : undefined;
    const reserved = until && { ...values, date: day(until) };
    return {
      subject: t('expired.subject', values),
      preview: reserved ? t('expired.preview', reserved) : t('expired.body', values),
      paragraphs: [t('expired.body', values), t('expired.unprotected')],
      action: toSubscription(context),
      ...(reserved && { notes: [t('expired.note', reserved)] }),
    };
  },
});
