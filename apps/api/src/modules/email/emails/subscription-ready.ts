import { sql } from 'kysely';
import { defineEmail } from '../define-email.ts';
import { toSubscription } from '../links.ts';
import { subscriptionNameOf } from '../subscription-name.ts';

/** Sent when a new subscription's tunnel is up. Not sent once the subscription has lost its address. */
export const subscriptionReady = defineEmail({
  name: 'ready',
  async load({ db, subjectId }) {
    const row = await db
      .selectFrom('subscription')
      .innerJoin('product', 'product.id', 'subscription.product_id')
      .innerJoin('region', 'region.id', 'product.region_id')
      .innerJoin('static_ip', 'static_ip.subscription_id', 'subscription.id')
      .select(['region.id as regionId', 'region.name as region'])
      .select(sql<string>`host(static_ip.address)`.as('address'))
      .select(subscriptionNameOf(sql.ref('subscription.id')).as('name'))
      .where('subscription.id', '=', subjectId)
      .executeTakeFirst();
    return row && { ...row, values: { subscriptionName: row.name } };
  },
  content(context, { regionId, region, address }) {
    const { t, nameOf } = context;
    return {
      subject: t('ready.subject', { address }),
      preview: t('ready.preview', { address }),
      paragraphs: [t('ready.body', { region: nameOf('region', regionId) ?? region, address })],
      action: toSubscription(context),
    };
  },
});
