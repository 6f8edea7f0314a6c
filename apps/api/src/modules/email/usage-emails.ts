import { formatMonth, formatNumber } from '@fixpoint/texts/format.ts';
import type { Db } from '../../ports/database.ts';
import type { EmailContent } from './email-content.ts';
import type { SubscriptionWriter } from './subscription-facts.ts';

/** How much of the fair-use figure a month has reached: the month that was told of last is the one of the email. */
export function usageEmails(db: Db) {
  const message =
    (name: 'usageNear' | 'usageReached') =>
    async ({ language, t, dates, nameOf, subjectId, pageUrl }: SubscriptionWriter) => {
      const told = await db
        .selectFrom('usage_notice as notice')
        .innerJoin('subscription', 'subscription.id', 'notice.subscription_id')
        .innerJoin('product', 'product.id', 'subscription.product_id')
        .innerJoin('region', 'region.id', 'product.region_id')
        .select(['notice.month', 'data_transfer_gb as gb', 'region.id as regionId', 'region.name as region'])
        .where('notice.subscription_id', '=', subjectId)
        .orderBy('notice.month', 'desc')
        .executeTakeFirst();
      if (!told) return undefined;
      const total = formatNumber(told.gb, language);
      const region = nameOf('region', told.regionId) ?? told.region;
      return {
        subject: t(`${name}.subject`, { total }),
        preview: t('usage.preview'),
        paragraphs: [
          t(`${name}.body`, { region, total, month: formatMonth(dates, told.month) }),
          t('usage.body'),
        ],
        action: { label: t('usage.action'), url: `${pageUrl}/bandwidth-control` },
      } satisfies EmailContent;
    };
  return { usageNear: message('usageNear'), usageReached: message('usageReached') };
}
