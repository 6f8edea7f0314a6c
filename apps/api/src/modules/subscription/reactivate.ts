import type { Db } from '../../ports/database.ts';
import { type NewIdentity, resumeIdentity } from '../provisioning/index.ts';
import type { MoveDeps } from './deps.ts';
import { moveSubscription } from './move.ts';
import { lockSubscription } from './store.ts';

/**
 * A subscription that had ended is paid for again: it looks for a host, with its address where it still holds it. Paid
 * twice, the second time is the period after that.
 * @throws while it waits for a host: the job comes again
 */
export async function reactivate(
  deps: MoveDeps,
  tx: Db,
  subscriptionId: string,
  identity: NewIdentity,
): Promise<void> {
  const row = (await lockSubscription(tx, subscriptionId))!;
  const again = row.status === 'active' || row.status === 'pastDue';
  const moved = await moveSubscription(deps, tx, row, again ? 'renew' : 'reactivate');
  if (!moved.ok) throw new Error(`Subscription ${subscriptionId} is ${row.status}, not to be re-activated`);
  if (!again) await resumeIdentity(tx, { id: row.id, customerId: row.customer_id }, identity);
}
