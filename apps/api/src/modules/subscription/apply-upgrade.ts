import { can } from '@fixpoint/domain/subscription/subscription.ts';
import type { Db } from '../../ports/database.ts';
import type { UpgradeOffer } from '../../ports/json-columns.ts';
import { voidRenewal } from '../billing/index.ts';
import type { Product } from '../catalog/index.ts';
import { changePlan, type PlanDeps } from './change-plan.ts';
import { isAsOffered, lockSubscription, setRenewal, stateOf } from './store.ts';

/**
 * A bigger plan that is paid begins at once, and the rest of what is paid is paid at its price. An open invoice of the
 * next period asks for the plan before: it is void, and another one is opened at once.
 * @returns false where it is no longer the subscription that was offered it: renewed, ended, turned off or changed since
 */
export async function applyUpgrade(
  deps: PlanDeps,
  tx: Db,
  now: Date,
  subscriptionId: string,
  to: { upgrade: UpgradeOffer; product: Product; renewal: number; vatRateBp: number },
): Promise<boolean> {
  const row = (await lockSubscription(tx, subscriptionId))!;
  if (!(await isAsOffered(tx, row, to.upgrade.version)) || !can(stateOf(row), 'upgrade', now).ok)
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
