import type { Language } from '@fixpoint/contract/languages.ts';
import { chargeAt, payableUntil } from '@fixpoint/domain/subscription/renewal.ts';
import { formatDate, formatMoney } from '@fixpoint/texts/format.ts';
import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import type { Voice } from './render-email.ts';

/** Who writes: whose voice, about which subscription, and where its page is. */
export type SubscriptionWriter = Voice & {
  language: Language;
  subjectId: string;
  /** Which email about the same subject it is, as in the job. */
  copy?: string | undefined;
  pageUrl: string;
  /** The address of a page, such as `management/billing`. */
  pageAt(path: string): string;
};

/** Everything that emails about a subscription say. */
export async function subscriptionFacts(db: Db, w: SubscriptionWriter) {
  const row = await db
    .selectFrom('subscription as s')
    .innerJoin('product', 'product.id', 's.product_id')
    .innerJoin('region', 'region.id', 'product.region_id')
    .leftJoin('product as next', 'next.id', 's.next_product_id')
    .leftJoin('static_ip', 'static_ip.subscription_id', 's.id')
    .leftJoin('invoice', join =>
      join
        .onRef('invoice.subscription_id', '=', 's.id')
        .on('invoice.purpose', '=', 'renewal')
        .on('invoice.status', '=', 'open'),
    )
    .select(['s.status', 's.renewal', 's.vat_rate_bp', 's.currency', 's.cycle_count'])
    .select(['s.period_start', 's.period_end'])
    .select(['s.started_at', 's.anchor_at', 's.suspended', 's.replaced_by', 's.port_forward'])
    .select(['s.cancel_at_period_end', 's.tries', 's.customer_id', 's.id', 's.is_gift'])
    .select([
      's.next_from',
      's.next_entitlements',
      's.next_renewal',
      's.coming_renewal',
      's.announced_renewal',
      's.announced_renewal_from',
      's.announced_vat_rate_bp',
      's.announced_vat_from',
      'next.plan_id as next_plan_id',
    ])
    .select([
      'product.plan_id',
      'region.id as region_id',
      'region.name as region',
      'static_ip.reserved_until',
    ])
    .select([
      'invoice.id as invoice_id',
      'invoice.reference',
      'invoice.issued_at',
      'invoice.total',
      'invoice.credit_used',
    ])
    .select('invoice.prepaid')
    .select(sql<string | null>`host(static_ip.address)`.as('address'))
    .where('s.id', '=', w.subjectId)
    .executeTakeFirst();
  if (!row?.period_end) return undefined;
  const day = (at: Date) => formatDate(w.dates, at);
  const due = row.total === null ? row.coming_renewal : row.total - row.credit_used! - row.prepaid!;
  const planName = (id: string) => w.nameOf('plans.name', id) ?? id;
  const said = {
    plan: planName(row.plan_id),
    region: w.nameOf('region', row.region_id) ?? row.region,
    address: row.address ?? '',
    amount: formatMoney(due, row.currency, w.language),
    date: day(row.period_end),
  };
  return {
    row: { ...row, period_end: row.period_end },
    day,
    /** The day on which we charge what is charged by us. */
    charged: day(chargeAt({ start: row.period_start!, end: row.period_end })),
    last:
      row.issued_at && day(payableUntil(row.issued_at, { start: row.period_start!, end: row.period_end })),
    said,
    /** The same of the next period, with which a cheaper plan may begin. */
    coming: { ...said, plan: planName(row.next_plan_id ?? row.plan_id) },
  };
}
