import { can } from '@fixpoint/domain/subscription/subscription.ts';
import type { Db } from '../../ports/database.ts';
import type { UpgradeOffer } from '../../ports/json-columns.ts';
import { voidRenewal } from '../billing/index.ts';
import type { Product } from '../catalog/index.ts';
import { changePlan, type PlanDeps } from './change-plan.ts';
import { isUnchangedSince, lockSubscription, setRenewal, stateOf } from './store.ts';

/**
 * Begins a paid upgrade at once; the rest of the paid periods is worth the new price. An open renewal invoice is of the old
 * plan: it is voided, and another one is opened at once.
 * @returns false where the subscription has renewed, ended, been cancelled or changed since the offer
 */
export async function applyUpgrade(
  deps: PlanDeps,
  tx: Db,
  now: Date,
  subscriptionId: string,
  to: { upgrade: UpgradeOffer; product: Product; renewal: number; vatRateBp: number },
): Promise<boolean> {
  const row = (await lockSubscription(tx, subscriptionId))!;
  if (!(await isUnchangedSince(tx, row, to.upgrade.version)) || !can(stateOf(row), 'upgrade', now).ok)
    return false;
  await changePlan(deps, tx, row, 'upgrade', to);
  for (const { startsAt, price } of to.upgrade.periods) {
    await tx
      .updateTable('subscription_period')
      .set({ worth: price, upgraded_at: now })
      .where('subscription_id', '=', subscriptionId)
      .where('starts_at', '=', new Date(startsAt))
      .execute();
  }
  await voidRenewal(tx, now, subscriptionId);
  await setRenewal(tx, row, { due_at: now, tries: 0 });
  return true;
}
