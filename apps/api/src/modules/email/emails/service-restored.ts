import { defineEmail } from '../define-email.ts';
import { toSubscription } from '../links.ts';
import { subscriptionFacts } from '../subscription-facts.ts';

/** Sent when staff lifts the last suspension of a subscription. Not sent once it is suspended again. */
export const serviceRestored = defineEmail({
  name: 'serviceRestored',
  async load(context) {
    const facts = await subscriptionFacts(context);
    return facts && !facts.row.suspended && facts.row.status !== 'expired' ? facts : undefined;
  },
  content(context, { values }) {
    const { t } = context;
    return {
      subject: t('serviceRestored.subject', values),
      preview: t('serviceRestored.preview'),
      paragraphs: [t('serviceRestored.body', values)],
      action: toSubscription(context),
    };
  },
});
