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

/** What renewals shall cost: a plan what the catalogue says now, or every plan with this rate of VAT. */
export type NewPrice = { planId: string } | { vatRateBp: number };

const BATCH = 500;

/** Who renews, was told of nothing else, and would pay another price; `wanted`: which. */
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
    // It renews as another plan, at the price that its customer agreed to.
    .where('s.next_product_id', 'is', null)
    .where(eb => eb(eb.fn.coalesce('s.announced_renewal', 's.renewal'), '<>', eb.ref('price.renewal')));

const taxed = (db: Db, vatRateBp: number) =>
  db
    .selectFrom('subscription as s')
    .select(eb => ['s.id', eb.val(vatRateBp).as('wanted')])
    .where('s.status', 'in', ['active', 'pastDue'])
    .where('s.cancel_at_period_end', '=', false)
    .where(eb => eb(eb.fn.coalesce('s.announced_vat_rate_bp', 's.vat_rate_bp'), '<>', vatRateBp));

const concerned = (db: Db, change: NewPrice) =>
  ('planId' in change ? priced(db, change.planId) : taxed(db, change.vatRateBp)) as ReturnType<typeof priced>;

/** How many subscriptions would be told of another price. */
export async function countConcerned(db: Db, change: NewPrice): Promise<number> {
  const { n } = await db
    .selectFrom(concerned(db, change).as('concerned'))
    .select(eb => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return Number(n);
}

/**
 * How many of them would hear of another VAT less than 30 days before it holds: its day is the law's. Another price waits
 * for them.
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
 * Tells everybody whom it concerns that his renewals cost something else from `from` on, and 30 days after that email at
 * the earliest; what is invoiced before keeps its price. Each in a transaction of his own: killed in between, the next run
 * goes on. Where the announced price is again the one of now, that is told instead.
 * @returns how many were told
 */
export async function announcePrice(deps: SubscriptionDeps, change: NewPrice, from: Date): Promise<number> {
  let told = 0;
  for (;;) {
    const batch = await concerned(deps.db, change).orderBy('s.id').limit(BATCH).execute();
    for (const { id } of batch) {
      if (await deps.db.transaction().execute(tx => tellOne(deps, tx, id, change, from))) told += 1;
    }
    if (batch.length < BATCH) return told;
  }
}

async function tellOne(deps: SubscriptionDeps, tx: Db, id: string, change: NewPrice, from: Date) {
  const row = (await lockSubscription(tx, id))!;
  const found = await concerned(tx, change).where('s.id', '=', id).executeTakeFirst();
  // Ended, turned off or changed in this moment.
  if (!found) return false;
  const wanted = Number(found.wanted);
  const isPrice = 'planId' in change;
  const kept = wanted === (isPrice ? row.renewal : row.vat_rate_bp);
  // What the law takes leaves the price as it is: its date holds.
  const earliest = isPrice ? earliestPriceChange(deps.clock.now(), from) : from;
  const holds = kept ? null : effectiveFrom(await comingOf(tx, row), earliest);
  const value = kept ? null : wanted;
  const changed = await recordChange(
    deps,
    tx,
    row,
    kept ? 'takeBack' : 'announce',
    isPrice
      ? { announced_renewal: value, announced_renewal_from: holds }
      : { announced_vat_rate_bp: value, announced_vat_from: holds },
    { of: isPrice ? 'price' : 'vat', to: wanted, day: holds?.toISOString() ?? null },
  );
  await deps.jobs.enqueue(tx, 'sendEmail', {
    template: kept ? 'priceKept' : isPrice ? 'priceChange' : 'vatChange',
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
