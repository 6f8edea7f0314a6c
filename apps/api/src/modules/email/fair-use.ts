import { formatMonth, formatNumber } from '@fixpoint/texts/format.ts';
import type { EmailTemplate } from '../../ports/jobs.ts';
import { defineEmail } from './define-email.ts';

/** Defines an email about the fair-use figure: which part of it the month of the newest notice has reached. */
export const fairUseEmail = <Name extends EmailTemplate & ('usageNear' | 'usageReached')>(name: Name) =>
  defineEmail({
    name,
    together: { kind: name, pace: 'day' },
    load: async ({ db, subjectId, off }) =>
      off.has('usage')
        ? undefined
        : db
            .selectFrom('usage_notice as notice')
            .innerJoin('subscription', 'subscription.id', 'notice.subscription_id')
            .innerJoin('product', 'product.id', 'subscription.product_id')
            .innerJoin('region', 'region.id', 'product.region_id')
            .select([
              'notice.month',
              'data_transfer_gb as gb',
              'region.id as regionId',
              'region.name as region',
            ])
            .where('notice.subscription_id', '=', subjectId)
            .orderBy('notice.month', 'desc')
            .executeTakeFirst(),
    content({ t, dates, nameOf, language, pageUrl }, { month, gb, regionId, region }) {
      const total = formatNumber(gb, language);
      const values = {
        region: nameOf('region', regionId) ?? region,
        total,
        month: formatMonth(dates, month),
      };
      return {
        subject: t(`${name}.subject`, { total }),
        preview: t('usage.preview'),
        paragraphs: [t(`${name}.body`, values), t('usage.body')],
        action: { label: t('usage.action'), url: `${pageUrl}/bandwidth-control` },
      };
    },
  });
