import type { Db } from '../../ports/database.ts';
import { dropRenewal } from './close-renewal.ts';
import type { TransitionDeps } from './deps.ts';
import { transitionSubscription } from './transition.ts';

/** Whether the customer has a running subscription that is neither a gift nor cancelled (error 8007). */
export async function hasRunning(db: Db, customerId: string): Promise<boolean> {
  const row = await db
    .selectFrom('subscription')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('status', 'in', ['provisioning', 'active', 'pastDue'])
    .where('cancel_at_period_end', '=', false)
    .where('is_gift', '=', false)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Ends all subscriptions of a customer: their hosts cut the tunnels and refuse all keys. Open renewals, such as those of gifts,
 * are voided.
 */
export async function endAllSubscriptions(deps: TransitionDeps, tx: Db, customerId: string): Promise<void> {
  const rows = await tx
    .selectFrom('subscription')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('id')
    .forUpdate()
    .execute();
  for (const row of rows) {
    await dropRenewal(deps, tx, row.id);
    await transitionSubscription(deps, tx, row, 'end');
  }
}
