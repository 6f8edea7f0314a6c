import {
  earliestPriceChange,
  effectiveFrom,
  noticeCovers,
} from '@fixpoint/domain/subscription/price-notice.ts';
import type { Db } from '../../ports/database.ts';
import { openRenewalOf } from '../billing/index.ts';
import { recordChange } from './change-plan.ts';
import type { SubscriptionDeps } from './deps.ts';
import { lockSubscription, type SubscriptionRow } from './store.ts';

/** A price change of renewals: of one plan to its current catalogue price, or of all plans to a rate of VAT. */
export type NewPrice = { planId: string } | { vatRateBp: number };

const BATCH = 500;

/** Renewing subscriptions of a plan that would pay, or were announced, another price. `wanted`: the new price. */
const priced = (db: Db, planId: string) =>
  db
    .selectFrom('subscription as s')
    .innerJoin('product', 'product.id', 's.product_id')
    .innerJoin('plan_price as price', join =>
      join
        .onRef('price.plan_id', '=', 'product.plan_id')
        .onRef('price.currency', '=', 's.currency')
        .onRef('price.cycle_count', '=', 's.cycle_count'),
    )
    .select(['s.id', 'price.renewal as wanted'])
    .where('product.plan_id', '=', planId)
    .where('s.status', 'in', ['active', 'pastDue'])
    .where('s.cancel_at_period_end', '=', false)
    // With a scheduled downgrade it renews as another plan, at the price that its customer agreed to.
    .where('s.next_product_id', 'is', null)
    .where(eb => eb(eb.fn.coalesce('s.announced_renewal', 's.renewal'), '<>', eb.ref('price.renewal')));

const taxed = (db: Db, vatRateBp: number) =>
  db
    .selectFrom('subscription as s')
    .select(eb => ['s.id', eb.val(vatRateBp).as('wanted')])
    .where('s.status', 'in', ['active', 'pastDue'])
    .where('s.cancel_at_period_end', '=', false)
    .where(eb => eb(eb.fn.coalesce('s.announced_vat_rate_bp', 's.vat_rate_bp'), '<>', vatRateBp));

const affected = (db: Db, change: NewPrice) =>
  ('planId' in change ? priced(db, change.planId) : taxed(db, change.vatRateBp)) as ReturnType<typeof priced>;

/** Number of subscriptions that would get a price notice. */
export async function countAffected(db: Db, change: NewPrice): Promise<number> {
  const { n } = await db
    .selectFrom(affected(db, change).as('affected'))
    .select(eb => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return Number(n);
}

/**
 * Number of those whose notice would come less than 30 days before a new rate of VAT applies: the law sets its day. A new
 * price is postponed for them instead, so it has none.
 */
export async function countLate(db: Db, now: Date, change: NewPrice, from: Date): Promise<number> {
  if ('planId' in change) return 0;
  const inTime = noticeCovers(now);
  const soon = await taxed(db, change.vatRateBp)
    .leftJoin('invoice', join =>
      join
        .onRef('invoice.subscription_id', '=', 's.id')
        .on('invoice.purpose', '=', 'renewal')
        .on('invoice.status', '=', 'open'),
    )
    .clearSelect()
    .select(['s.anchor_at', 's.period_end', 's.cycle_count', 'invoice.id as invoice_id'])
    .where('s.vat_rate_bp', '<>', change.vatRateBp)
    .where('s.period_end', '<', inTime)
    .execute();
  return soon.filter(row => effectiveFrom(comingBy(row, row.invoice_id !== null), from) < inTime).length;
}

/**
 * Announces a price change to all subscribers affected. It applies from `from` on, a new price at the earliest 30 days after
 * the email; open invoices keep theirs. One transaction per subscription: after a crash the next run continues. Where the new
 * price is the current one again, the earlier announcement is revoked.
 * @returns how many were notified
 */
export async function announcePrice(deps: SubscriptionDeps, change: NewPrice, from: Date): Promise<number> {
  let notified = 0;
  for (;;) {
    const batch = await affected(deps.db, change).orderBy('s.id').limit(BATCH).execute();
    for (const { id } of batch) {
      if (await deps.db.transaction().execute(tx => notifyOne(deps, tx, id, change, from))) notified += 1;
    }
    if (batch.length < BATCH) return notified;
  }
}

async function notifyOne(deps: SubscriptionDeps, tx: Db, id: string, change: NewPrice, from: Date) {
  const row = (await lockSubscription(tx, id))!;
  const found = await affected(tx, change).where('s.id', '=', id).executeTakeFirst();
  // It ended, was cancelled or changed in the meantime.
  if (!found) return false;
  const wanted = Number(found.wanted);
  const isPrice = 'planId' in change;
  const revokes = wanted === (isPrice ? row.renewal : row.vat_rate_bp);
  // The law sets the day of a VAT rate; only a price must be announced 30 days before.
  const earliest = isPrice ? earliestPriceChange(deps.clock.now(), from) : from;
  const holds = revokes ? null : effectiveFrom(await comingOf(tx, row), earliest);
  const value = revokes ? null : wanted;
  const changed = await recordChange(
    deps,
    tx,
    row,
    revokes ? 'takeBack' : 'announce',
    isPrice
      ? { announced_renewal: value, announced_renewal_from: holds }
      : { announced_vat_rate_bp: value, announced_vat_from: holds },
    { of: isPrice ? 'price' : 'vat', to: wanted, day: holds?.toISOString() ?? null },
  );
  await deps.jobs.enqueue(tx, 'sendEmail', {
    template: revokes ? 'priceKept' : isPrice ? 'priceChange' : 'vatChange',
    customerId: row.customer_id,
    subjectId: id,
    copy: String(changed.version),
  });
  return true;
}

const comingOf = async (tx: Db, row: SubscriptionRow) =>
  comingBy(row, (await openRenewalOf(tx, row.id)) !== undefined);

const comingBy = (
  row: Pick<SubscriptionRow, 'anchor_at' | 'period_end' | 'cycle_count'>,
  invoiced: boolean,
) => ({ anchor: row.anchor_at!, start: row.period_end!, cycleCount: row.cycle_count, invoiced });
