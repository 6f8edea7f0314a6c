import { defineEmail } from '../define-email.ts';
import { toSubscription } from '../links.ts';
import { subscriptionFacts } from '../subscription-facts.ts';
import { lastEntry } from '../subscription-history.ts';

/** Sent when a customer cancels a subscription at the end of its period. Not sent once it is resumed. */
export const subscriptionCancelled = defineEmail({
  name: 'cancelled',
  together: { kind: 'cancelled', pace: 'sitting' },
  async load(context) {
    const facts = await subscriptionFacts(context);
    if (!facts?.row.cancel_at_period_end) return undefined;
    const { at } = await lastEntry(context.db, context.subjectId, 'cancel').executeTakeFirstOrThrow();
    const { row, isPast } = facts;
    // A past-due subscription ends at once: no paid time is left.
    return { ...facts, isPastDue: at >= row.period_end || isPast(row.period_end) };
  },
  about: ({ values }) => values,
  content(context, { values, isPastDue }) {
    const { t } = context;
    return {
      subject: t('cancelled.subject', values),
      preview: t(isPastDue ? 'cancelled.previewNow' : 'cancelled.preview', values),
      paragraphs: [t(isPastDue ? 'cancelled.bodyNow' : 'cancelled.body', values)],
      action: toSubscription(context),
    };
  },
});
