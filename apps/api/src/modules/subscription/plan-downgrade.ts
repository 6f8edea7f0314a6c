import { can } from '@fixpoint/domain/subscription/subscription.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import { voidRenewal } from '../billing/index.ts';
import { entitlementsOf, productById, quote } from '../catalog/index.ts';
import { recordChange } from './change-plan.ts';
import { closeRenewal } from './close-renewal.ts';
import type { SubscriptionDeps } from './deps.ts';
import { lockOwn, NO_NEXT, paidChangeAt, type SubscriptionRow, setRenewal, stateOf } from './store.ts';

export type PlanningDeps = SubscriptionDeps & {
  saleCountry: string;
  /** Of payment, against the order of modules: the end of what takes money. */
  close(invoiceId: string): Promise<void>;
};

type Wish = { id: string; planId: string | null };
type Planned = { planned: { planId: string; from: string } | null };

/**
 * Has a cheaper plan begin with the next period, or takes that back: until the next period is paid. An invoice that is
 * open for it is void, and another one is opened at once.
 * @param wish `planId` null: it stays as it is
 */
export async function planDowngrade(
  deps: PlanningDeps,
  customerId: string,
  { id, planId }: Wish,
): Promise<Refusal | Planned> {
  const { db, clock, jobs, saleCountry } = deps;
  await closeRenewal(deps, { customerId, subscriptionId: id });
  return db.transaction().execute(async tx => {
    const row = await lockOwn(tx, customerId, id);
    if (!row) return refuse('subscriptionNotFound');
    const now = clock.now();
    const allowed = can(stateOf(row), 'upgrade', now);
    if (!allowed.ok) return refuse(allowed.refusal);
    if (paidChangeAt(row)) return refuse('subscriptionNotExpired');
    const present = (await productById(tx, row.product_id))!;
    const found =
      planId === null ? undefined : await quote(tx, saleCountry, row.currency, { ...present, planId });
    if (planId !== null && !(found && isCheaper(found, row))) return refuse('productNotFound');
    const answer = found ? { planId: found.product.planId, from: row.period_end!.toISOString() } : null;
    if ((found?.product.id ?? null) === row.next_product_id) return { planned: answer };
    const changed = await recordChange(
      deps,
      tx,
      row,
      found ? 'planDowngrade' : 'undoDowngrade',
      {
        ...NO_NEXT,
        ...(found && {
          next_product_id: found.product.id,
          next_entitlements: entitlementsOf(found.product),
          next_renewal: found.renewal,
          next_from: row.period_end,
        }),
      },
      {
        from: row.product_id,
        to: found?.product.id ?? row.product_id,
        day: row.period_end!.toISOString(),
      },
    );
    await voidRenewal(tx, now, id);
    await setRenewal(tx, changed, { due_at: now, tries: 0 });
    const template = found ? 'downgradePlanned' : 'downgradeUndone';
    const copy = String(changed.version);
    await jobs.enqueue(tx, 'sendEmail', { template, customerId, subjectId: id, copy });
    return { planned: answer };
  });
}

/**
 * A plan that costs no more than the one of now will in the next period begins with that; a dearer one is paid for and begins
 * at once.
 */
export function isCheaper(
  offered: { product: { id: string }; renewal: number },
  row: Pick<
    SubscriptionRow,
    'product_id' | 'renewal' | 'period_end' | 'announced_renewal' | 'announced_renewal_from'
  >,
): boolean {
  const { announced_renewal_from: from, period_end: end } = row;
  // Not `coming_renewal`: that is of the plan that is planned already.
  const coming = from && end && from <= end ? row.announced_renewal! : row.renewal;
  return offered.product.id !== row.product_id && offered.renewal <= coming;
}
