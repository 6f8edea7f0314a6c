import { formatMoney } from '@fixpoint/texts/format.ts';
import { defineEmail } from '../define-email.ts';
import { toSubscription } from '../links.ts';
import { subscriptionFacts } from '../subscription-facts.ts';

/** Sent when a customer schedules a cheaper plan. Not sent once that is taken back or has begun. */
export const downgradeScheduled = defineEmail({
  name: 'downgradePlanned',
  async load(context) {
    const facts = await subscriptionFacts(context);
    const from = facts?.row.next_from;
    return from && !facts.isPast(from) ? { ...facts, from } : undefined;
  },
  about: ({ values }) => values,
  content(context, { row, day, nextPeriodValues, from }) {
    const { t, language } = context;
    const values = {
      ...nextPeriodValues,
      amount: formatMoney(row.next_renewal!, row.currency, language),
      date: day(from),
      devices: row.next_entitlements!.devices,
    };
    return {
      subject: t('downgradePlanned.subject', values),
      preview: t('downgradePlanned.preview', values),
      paragraphs: [t('downgradePlanned.body', values), t('downgradePlanned.keys', values)],
      action: toSubscription(context),
      notes: [t('downgradePlanned.note')],
    };
  },
});
