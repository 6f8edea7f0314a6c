import { subscriptionToRenew } from '../announced-price.ts';
import { defineEmail } from '../define-email.ts';
import { toSubscription } from '../links.ts';

/** Sent when an announced price or rate of VAT is revoked. Not sent once the subscription does not renew. */
export const priceChangeRevoked = defineEmail({
  name: 'priceKept',
  together: { kind: 'priceKept', pace: 'day' },
  load: subscriptionToRenew,
  about: ({ values }) => values,
  content(context, { values }) {
    const { t } = context;
    return {
      subject: t('priceKept.subject', values),
      preview: t('renewalAhead.preview', values),
      paragraphs: [t('priceKept.body', values)],
      action: toSubscription(context),
    };
  },
});
