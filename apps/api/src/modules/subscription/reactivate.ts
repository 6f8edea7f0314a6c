import type { Db } from '../../ports/database.ts';
import { hasAddress, type NewIdentity, resumeIdentity } from '../provisioning/index.ts';
import type { MoveDeps } from './deps.ts';
import { moveSubscription } from './move.ts';
import { lockSubscription } from './store.ts';

/**
 * A subscription that had ended is paid for again: it looks for a host, with its address where it still holds it. Paid
 * twice, the second time is the period after that; while it waits for a host, both wait (`activate`).
 * @param agreed what its renewals cost from now on, as the order said
 * @returns whether it runs already: nothing of it is waited for
 */
export async function reactivate(
  deps: MoveDeps,
  tx: Db,
  subscriptionId: string,
  identity: NewIdentity,
  agreed: { renewal: number; vatRateBp: number },
): Promise<boolean> {
  const row = (await lockSubscription(tx, subscriptionId))!;
  if (row.status === 'provisioning') return false;
  const again = row.status === 'active' || row.status === 'pastDue';
  if (!again) {
    const { renewal, vatRateBp: vat_rate_bp } = agreed;
    await tx.updateTable('subscription').set({ renewal, vat_rate_bp }).where('id', '=', row.id).execute();
  }
  const moved = again
    ? await moveSubscription(deps, tx, row, 'renew')
    : await moveSubscription(deps, tx, row, 'reactivate', { sameAddress: await hasAddress(tx, row.id) });
  if (!moved.ok) throw new Error(`Subscription ${subscriptionId} is ${row.status}, not to be re-activated`);
  if (!again) await resumeIdentity(tx, { id: row.id, customerId: row.customer_id }, identity);
  return again;
}
