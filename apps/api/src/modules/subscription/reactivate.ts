import type { Db } from '../../ports/database.ts';
import type { Product } from '../catalog/index.ts';
import {
  hasAddress,
  type NewIdentity,
  releaseStrandedAddress,
  resumeIdentity,
} from '../provisioning/index.ts';
import { type PlanDeps, planChanged } from './change-plan.ts';
import { lockSubscription, planColumns } from './store.ts';
import { transitionSubscription } from './transition.ts';

/**
 * Locks a subscription whose reactivation is paid.
 * @returns whether the payment buys a period of it. Where an earlier one has reactivated it, only one of the plan that serves
 *   the next period does
 */
export async function takesReactivation(tx: Db, subscriptionId: string, productId: string): Promise<boolean> {
  const row = (await lockSubscription(tx, subscriptionId))!;
  if (row.status === 'expired') return true;
  return row.product_id === productId && row.next_product_id === null && row.replaced_by === null;
}

/**
 * Reactivates an ended subscription whose order is paid: it needs a host, and keeps its address if that is still reserved. A
 * second payment pays the period after; while it waits for a host, both periods wait (`activate`).
 * @param agreed product and renewal price of the order
 * @returns whether it runs already
 */
export async function reactivate(
  deps: PlanDeps,
  tx: Db,
  subscriptionId: string,
  identity: NewIdentity,
  agreed: { product: Product; renewal: number; vatRateBp: number },
): Promise<boolean> {
  const row = (await lockSubscription(tx, subscriptionId))!;
  if (row.status === 'provisioning') return false;
  const again = row.status === 'active' || row.status === 'pastDue';
  if (!again) {
    const { product, renewal, vatRateBp: vat_rate_bp } = agreed;
    const change = { ...planColumns(product), renewal, vat_rate_bp };
    await tx.updateTable('subscription').set(change).where('id', '=', row.id).execute();
    // The plan may include less than before it ended. The next host gets all that when it is assigned.
    await deps.publish(tx, planChanged(row, product));
    await releaseStrandedAddress(deps, tx, row.id);
  }
  const moved = again
    ? await transitionSubscription(deps, tx, row, 'renew')
    : await transitionSubscription(deps, tx, row, 'reactivate', {
        sameAddress: await hasAddress(tx, row.id),
      });
  if (!moved.ok) throw new Error(`Subscription ${subscriptionId} is ${row.status}, not to be re-activated`);
  if (!again) await resumeIdentity(tx, { id: row.id, customerId: row.customer_id }, identity);
  return again;
}
