import { defineEmail } from '../define-email.ts';
import { toSubscription } from '../links.ts';
import { subscriptionFacts } from '../subscription-facts.ts';

/**
 * Sent some days before a cancelled subscription ends. Not sent once it is resumed, or another one replaces it: then it ends
 * when that one runs.
 */
export const subscriptionEndingSoon = defineEmail({
  name: 'endsSoon',
  together: { kind: 'endsSoon', pace: 'day' },
  async load(context) {
    const facts = await subscriptionFacts(context);
    const { status, cancel_at_period_end, replaced_by } = facts?.row ?? {};
    if (status !== 'active' || !cancel_at_period_end || replaced_by) return undefined;
    return facts?.isPast(facts.row.period_end) ? undefined : facts;
  },
  about: ({ values }) => values,
  content(context, { values }) {
    const { t } = context;
    return {
      subject: t('endsSoon.subject', values),
      preview: t('endsSoon.preview'),
      paragraphs: [t('endsSoon.body', values)],
      action: toSubscription(context),
      notes: [t('endsSoon.note')],
    };
  },
});
