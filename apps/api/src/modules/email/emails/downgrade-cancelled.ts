import { defineEmail } from '../define-email.ts';
import { toSubscription } from '../links.ts';
import { isNextPaymentAutomatic, nextPaymentText } from '../next-payment.ts';
import { subscriptionFacts } from '../subscription-facts.ts';

/** Sent when a customer takes back a scheduled downgrade. Not sent once another one is scheduled. */
export const downgradeCancelled = defineEmail({
  name: 'downgradeUndone',
  async load(context) {
    const facts = await subscriptionFacts(context);
    if (!facts || facts.row.next_from) return undefined;
    return { ...facts, isAutomatic: await isNextPaymentAutomatic(context, facts) };
  },
  about: ({ values }) => values,
  content: (context, facts) => ({
    subject: context.t('downgradeUndone.subject', facts.values),
    preview: nextPaymentText(context, facts),
    paragraphs: [context.t('downgradeUndone.body', facts.values)],
    action: toSubscription(context),
  }),
});
