import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { LiveBus } from '../../ports/live.ts';
import { release } from '../provisioning/index.ts';

/** Whether the customer has a subscription that goes on: paid for or owed, and not cancelled (8007). */
export async function hasRunning(db: Db, customerId: string): Promise<boolean> {
  const row = await db
    .selectFrom('subscription')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('status', 'in', ['provisioning', 'active', 'pastDue'])
    .where('cancel_at_period_end', '=', false)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Ends what is left of a customer's subscriptions: their hosts cut the tunnels and refuse all keys. */
export async function endAllSubscriptions(
  { live, clock }: { live: LiveBus; clock: Clock },
  tx: Db,
  customerId: string,
): Promise<void> {
  const ended = await tx
    .updateTable('subscription')
    .set(eb => ({
      status: 'expired' as const,
      version: eb('version', '+', 1),
      period_end: eb.fn.coalesce('period_end', eb.val(clock.now())),
    }))
    .where('customer_id', '=', customerId)
    .where('status', '!=', 'expired')
    .returning('id')
    .execute();
  for (const { id } of ended) await release({ live, clock }, tx, id);
}
