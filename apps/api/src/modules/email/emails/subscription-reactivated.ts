import { defineEmail } from '../define-email.ts';
import { toSubscription } from '../links.ts';
import { subscriptionFacts } from '../subscription-facts.ts';
import { lastEntry } from '../subscription-history.ts';

/** Sent when an ended subscription runs again: says whether it kept its address. Not sent once it has ended again. */
export const subscriptionReactivated = defineEmail({
  name: 'reactivated',
  async load(context) {
    const facts = await subscriptionFacts(context);
    if (facts?.row.status !== 'active') return undefined;
    const entry = await lastEntry(context.db, context.subjectId, 'reactivate').executeTakeFirst();
    return { values: facts.values, hasSameAddress: Boolean(entry?.detail.sameAddress) };
  },
  about: ({ values }) => values,
  content(context, { values, hasSameAddress }) {
    const { t } = context;
    return {
      subject: t('reactivated.subject', values),
      preview: t('ready.preview', values),
      paragraphs: [
        t('reactivated.body', values),
        t(hasSameAddress ? 'reactivated.same' : 'reactivated.other', values),
      ],
      action: toSubscription(context),
    };
  },
});
