import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { Db } from '../../ports/database.ts';
import type { LiveBus } from '../../ports/live.ts';

/**
 * Sets or removes the label of a customer's own subscription. No event of its history: nothing that
 * was agreed changes, and an offer for it stays valid.
 */
export function renameSubscription(
  { db, live }: { db: Db; live: LiveBus },
  customerId: string,
  { id, label: typed }: { id: string; label: string | null },
): Promise<Refusal | { label: string | null }> {
  const label = typed || null;
  return db.transaction().execute(async tx => {
    const renamed = await tx
      .updateTable('subscription')
      .set({ label })
      .where('id', '=', id)
      .where('customer_id', '=', customerId)
      .returning('id')
      .executeTakeFirst();
    if (!renamed) return refuse('subscriptionNotFound');
    await live.publish(tx, `customer:${customerId}`, 'SUBSCRIPTION', { event: 'fetch', id });
    return { label };
  });
}
