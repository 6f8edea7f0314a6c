import { sql } from 'kysely';
import { enqueueDue } from '../../../jobs/enqueue-due.ts';
import type { TaskDeps } from '../../../ports/jobs.ts';

const BATCH = 500;

export const expireOrdersTask = enqueueDue({
  name: 'expireOrders',
  interval: 'minute',
  description: 'Expires drafts and unpaid orders whose time is over.',
  queue: 'expireOrder',
  async find(deps: TaskDeps) {
    await expireDrafts(deps);
    return deps.db
      .selectFrom('shop_order')
      .select('id as orderId')
      .where(sql<boolean>`status in ('awaitingPayment', 'failed')`)
      .where('expires_at', '<=', deps.clock.now())
      .orderBy('expires_at')
      .limit(BATCH)
      .execute();
  },
});

/** A draft has no payment at a gateway to close: many are expired in one statement. */
async function expireDrafts({ db, clock, live }: TaskDeps): Promise<void> {
  const drafts = db
    .selectFrom('shop_order')
    .select('id')
    .where('status', '=', sql.lit('draft'))
    .where('expires_at', '<=', clock.now())
    .orderBy('expires_at')
    .limit(BATCH);
  await db.transaction().execute(async tx => {
    const expired = await tx
      .updateTable('shop_order')
      .set(eb => ({ status: 'expired' as const, version: eb('version', '+', 1) }))
      .where('id', '=', sql<string>`any(array(${drafts}))`)
      .where('status', '=', 'draft')
      .returning('id')
      .execute();
    for (const { id } of expired) await live.disconnect(tx, `order:${id}`);
  });
}
