import { defineEmail } from '../define-email.ts';
import { subscriptionFacts } from '../subscription-facts.ts';
import { subscriptionName } from '../subscription-name.ts';

/**
 * Sent when a device was deleted, by a cheaper plan or from a browser that its customer is not known to use: from then on it is
 * not protected any more.
 */
export const deviceDeleted = defineEmail({
  name: 'keyDeleted',
  audience: 'user',
  together: { kind: 'device', pace: 'minutes', always: true },
  async load(context) {
    const key = await context.db
      .selectFrom('vpn_key')
      .select(['name', 'label', 'subscription_id as subscriptionId'])
      .where('id', '=', context.subjectId)
      .executeTakeFirst();
    const facts = key && (await subscriptionFacts(context, key.subscriptionId));
    return facts && { ...key, values: facts.values };
  },
  content: ({ t, pageAt }, { name, label, subscriptionId, values }) => ({
    subject: t('keyDeleted.subject'),
    preview: t('keyDeleted.preview'),
    paragraphs: [t('keyDeleted.body', { ...values, device: label ?? name }), t('keyDeleted.note')],
    action: { label: t('ready.action'), url: pageAt(`management/subscription/${subscriptionId}`) },
  }),
  line: ({ t, pageAt }, { name, label, subscriptionId, values }) => ({
    row: {
      label: label ?? name,
      value: t('device.deleted', { item: subscriptionName(values) }),
      url: pageAt(`management/subscription/${subscriptionId}`),
    },
  }),
});
