import { defineEmail } from '../define-email.ts';
import { toSubscription } from '../links.ts';
import { subscriptionFacts } from '../subscription-facts.ts';

/** Sent before the reserved address of an ended subscription is released. Not sent once it is released or used again. */
export const addressReserved = defineEmail({
  name: 'addressHeld',
  together: { kind: 'addressHeld', pace: 'day' },
  async load(context) {
    const facts = await subscriptionFacts(context);
    const until = facts?.row.reserved_until;
    return until && !facts.isPast(until)
      ? { values: { ...facts.values, date: facts.day(until) } }
      : undefined;
  },
  content(context, { values }) {
    const { t } = context;
    return {
      subject: t('addressHeld.subject', values),
      preview: t('expired.preview', values),
      paragraphs: [t('expired.note', values), t('addressHeld.after')],
      action: toSubscription(context),
    };
  },
});
