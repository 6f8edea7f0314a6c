import { openSuspensions } from '../../subscription/index.ts';
import { defineEmail } from '../define-email.ts';
import { toSubscription } from '../links.ts';
import { subscriptionFacts } from '../subscription-facts.ts';

/** Sent when staff suspends a subscription. Not sent once that is lifted. */
export const serviceSuspended = defineEmail({
  name: 'serviceSuspended',
  async load(context) {
    const facts = await subscriptionFacts(context);
    const causes = (await openSuspensions(context.db, context.subjectId)).map(({ cause }) => cause);
    const forAbuse = causes.includes('abuse');
    if (!facts?.row.suspended || !(forAbuse || causes.includes('staff'))) return undefined;
    return { ...facts, forAbuse };
  },
  content(context, { values, forAbuse }) {
    const { t } = context;
    return {
      subject: t('serviceSuspended.subject', values),
      preview: t('serviceSuspended.preview'),
      paragraphs: [
        t(forAbuse ? 'serviceSuspended.abuse' : 'serviceSuspended.staff', values),
        t('serviceSuspended.note', values),
      ],
      action: toSubscription(context),
    };
  },
});
