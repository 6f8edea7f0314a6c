import { earliestPriceChange, effectiveFrom } from '@fixpoint/domain/subscription/price-notice.ts';
import type { Db } from '../../ports/database.ts';
import { openRenewalOf } from '../billing/index.ts';
import { recordChange } from './change-plan.ts';
import type { SubscriptionDeps } from './deps.ts';
import { lockSubscription, type SubscriptionRow } from './store.ts';

/** A price change of a plan's renewals to its current catalogue price. */
export type NewPrice = { planId: string };

const BATCH = 500;

/** Renewing subscriptions of a plan that would pay, or were announced, another price. `wanted`: the new price. */
const affected = (db: Db, { planId }: NewPrice) =>
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

/** Number of subscriptions that would get a price notice. */
export async function countAffected(db: Db, change: NewPrice): Promise<number> {
  const { n } = await db
    .selectFrom(affected(db, change).as('affected'))
    .select(eb => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return Number(n);
}

/**
 * Announces a price change to all subscribers affected. It applies from `from` on, at the earliest 30 days after the email;
 * open invoices keep theirs. One transaction per subscription: after a crash the next run continues. Where the new price is
 * the current one again, the earlier announcement is revoked.
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
  const revokes = wanted === row.renewal;
  const holds = revokes
    ? null
    : effectiveFrom(await comingOf(tx, row), earliestPriceChange(deps.clock.now(), from));
  const changed = await recordChange(
    deps,
    tx,
    row,
    revokes ? 'takeBack' : 'announce',
    { announced_renewal: revokes ? null : wanted, announced_renewal_from: holds },
    { of: 'price', to: wanted, day: holds?.toISOString() ?? null },
  );
  await deps.jobs.enqueue(tx, 'sendEmail', {
    template: revokes ? 'priceKept' : 'priceChange',
    customerId: row.customer_id,
    subjectId: id,
    copy: String(changed.version),
  });
  return true;
}

const comingOf = async (tx: Db, row: SubscriptionRow) => ({
  anchor: row.anchor_at!,
  start: row.period_end!,
  cycleCount: row.cycle_count,
  invoiced: (await openRenewalOf(tx, row.id)) !== undefined,
});
