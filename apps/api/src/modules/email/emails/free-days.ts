import { defineEmail } from '../define-email.ts';
import { toSubscription } from '../links.ts';
import { subscriptionFacts } from '../subscription-facts.ts';

/** Sent when staff gives a subscription free days. Not sent once it has ended. */
export const freeDays = defineEmail({
  name: 'freeDays',
  together: { kind: 'freeDays', pace: 'sitting' },
  async load(context) {
    const facts = await subscriptionFacts(context);
    const given = await context.db
      .selectFrom('subscription_history')
      .select('detail')
      .where('subscription_id', '=', context.subjectId)
      .where('version', '=', Number(context.copy))
      .where('command', '=', 'giveDays')
      .executeTakeFirst();
    if (!given || !facts || facts.row.status === 'expired') return undefined;
    const { days, day, voided } = given.detail as { days: number; day: string; voided?: string };
    const values = { ...facts.values, days, date: facts.day(new Date(day)) };
    return { values, isVoid: voided !== undefined };
  },
  about: ({ values }) => values,
  content(context, { values, isVoid }) {
    const { t } = context;
    return {
      subject: t('freeDays.subject', values),
      preview: t('freeDays.preview', values),
      paragraphs: [t('freeDays.body', values), ...(isVoid ? [t('freeDays.void')] : [])],
      action: toSubscription(context),
    };
  },
});
