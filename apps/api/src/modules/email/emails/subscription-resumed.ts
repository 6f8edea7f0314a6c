import { defineEmail } from '../define-email.ts';
import { toSubscription } from '../links.ts';
import { isNextPaymentAutomatic, nextPaymentText } from '../next-payment.ts';
import { subscriptionFacts } from '../subscription-facts.ts';

/** Sent when a customer takes back the cancellation of a subscription. Not sent once it is cancelled again. */
export const subscriptionResumed = defineEmail({
  name: 'resumed',
  together: { kind: 'resumed', pace: 'sitting' },
  async load(context) {
    const facts = await subscriptionFacts(context);
    if (!facts || facts.row.cancel_at_period_end) return undefined;
    return { ...facts, isAutomatic: await isNextPaymentAutomatic(context, facts) };
  },
  about: ({ values }) => values,
  content: (context, facts) => ({
    subject: context.t('resumed.subject', facts.values),
    preview: nextPaymentText(context, facts),
    paragraphs: [context.t('resumed.body', facts.values)],
    action: toSubscription(context),
  }),
});
