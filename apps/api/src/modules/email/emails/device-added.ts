import { defineEmail } from '../define-email.ts';
import { subscriptionFacts } from '../subscription-facts.ts';
import { subscriptionName } from '../subscription-name.ts';

/**
 * Sent when a device was added to a subscription from a browser that its customer is not known to use. Not sent once the
 * device is deleted. Its configuration file is available in the account only: an email holds no secret.
 */
export const deviceAdded = defineEmail({
  name: 'keyAdded',
  audience: 'user',
  together: { kind: 'device', pace: 'minutes', always: true },
  async load(context) {
    const key = await context.db
      .selectFrom('vpn_key')
      .select(['name', 'label', 'subscription_id as subscriptionId'])
      .where('id', '=', context.subjectId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    const facts = key && (await subscriptionFacts(context, key.subscriptionId));
    return facts && { ...key, values: facts.values };
  },
  content: ({ t, pageAt }, { name, label, subscriptionId, values }) => ({
    subject: t('keyAdded.subject'),
    preview: t('keyAdded.preview'),
    paragraphs: [t('keyAdded.body', { ...values, device: label ?? name }), t('keyAdded.note')],
    action: { label: t('ready.action'), url: pageAt(`management/subscription/${subscriptionId}`) },
  }),
  line: ({ t, pageAt }, { name, label, subscriptionId, values }) => ({
    row: {
      label: label ?? name,
      value: t('device.added', { item: subscriptionName(values) }),
      url: pageAt(`management/subscription/${subscriptionId}`),
    },
  }),
});
