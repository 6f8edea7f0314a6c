import type { Db } from '../../ports/database.ts';
import type { Product } from '../catalog/index.ts';
import {
  hasAddress,
  type NewIdentity,
  releaseStrandedAddress,
  resumeIdentity,
} from '../provisioning/index.ts';
import { type PlanDeps, planChanged } from './change-plan.ts';
import { moveSubscription } from './move.ts';
import { lockSubscription, planColumns } from './store.ts';

/**
 * A subscription that had ended is paid for again: it looks for a host, with its address where it still holds it. Paid
 * twice, the second time is the period after that; while it waits for a host, both wait (`activate`).
 * @param agreed what it gives and its renewals cost from now on, as the order said
 * @returns whether it runs already: nothing of it is waited for
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
    // Its plan may give less than before it ended. Its next host hears of all that when it is placed.
    await deps.publish(tx, planChanged(row, product));
    await releaseStrandedAddress(deps, tx, row.id);
  }
  const moved = again
    ? await moveSubscription(deps, tx, row, 'renew')
    : await moveSubscription(deps, tx, row, 'reactivate', { sameAddress: await hasAddress(tx, row.id) });
  if (!moved.ok) throw new Error(`Subscription ${subscriptionId} is ${row.status}, not to be re-activated`);
  if (!again) await resumeIdentity(tx, { id: row.id, customerId: row.customer_id }, identity);
  return again;
}
