import type { Db } from '../../ports/database.ts';
import { dropRenewal } from './close-renewal.ts';
import type { MoveDeps } from './deps.ts';
import { moveSubscription } from './move.ts';

/** Whether the customer has a subscription that goes on: paid for or owed by himself, and not cancelled (8007). */
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
 * Ends what is left of a customer's subscriptions: their hosts cut the tunnels and refuse all keys. A gift may have a next
 * period that waits to be paid: nobody is asked for that any more.
 */
export async function endAllSubscriptions(deps: MoveDeps, tx: Db, customerId: string): Promise<void> {
  const rows = await tx
    .selectFrom('subscription')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('id')
    .forUpdate()
    .execute();
  for (const row of rows) {
    await dropRenewal(deps, tx, row.id);
    await moveSubscription(deps, tx, row, 'end');
  }
}
