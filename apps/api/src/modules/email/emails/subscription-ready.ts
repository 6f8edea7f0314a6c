import { sql } from 'kysely';
import { defineEmail } from '../define-email.ts';
import { toSubscription } from '../links.ts';
import { subscriptionName } from '../subscription-name.ts';

/** Sent when a new subscription's tunnel is up. Not sent once the subscription has lost its address. */
export const subscriptionReady = defineEmail({
  name: 'ready',
  together: { kind: 'ready', pace: 'sitting' },
  load: async ({ db, subjectId, off }) =>
    db
      .selectFrom('subscription')
      .innerJoin('product', 'product.id', 'subscription.product_id')
      .innerJoin('region', 'region.id', 'product.region_id')
      .innerJoin('static_ip', 'static_ip.subscription_id', 'subscription.id')
      .innerJoin('customer', 'customer.id', 'subscription.customer_id')
      .select(['region.id as regionId', 'region.name as region', 'product.plan_id as planId'])
      .select(sql<string>`host(static_ip.address)`.as('address'))
      .where('subscription.id', '=', subjectId)
      // Who has no password yet needs it.
      .$if(off.has('ready'), query => query.where('customer.password_hash', 'is', null))
      .executeTakeFirst(),
  content(context, { regionId, region, address }) {
    const { t, nameOf } = context;
    return {
      subject: t('ready.subject', { address }),
      preview: t('ready.preview', { address }),
      paragraphs: [t('ready.body', { region: nameOf('region', regionId) ?? region, address })],
      action: toSubscription(context),
    };
  },
  line: ({ nameOf, pageUrl }, { regionId, region, planId, address }) => ({
    row: {
      label: subscriptionName({ plan: nameOf('plans.name', planId) ?? planId, address }),
      value: nameOf('region', regionId) ?? region,
      url: pageUrl,
    },
  }),
});
