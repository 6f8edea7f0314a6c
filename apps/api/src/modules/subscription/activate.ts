import { periodEnd } from '@fixpoint/domain/kernel/bangkok.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import type { LiveBus } from '../../ports/live.ts';

/**
 * A host runs the subscription: the paid period begins now — nobody pays for days of waiting — and the customer is
 * told. Only the first time; later reports change nothing.
 */
export async function activate(
  { clock, jobs, live }: { clock: Clock; jobs: Jobs; live: LiveBus },
  tx: Db,
  subscriptionId: string,
): Promise<void> {
  const subscription = await tx
    .selectFrom('subscription')
    .selectAll()
    .where('id', '=', subscriptionId)
    .where('status', '=', 'provisioning')
    .forUpdate()
    .executeTakeFirst();
  if (!subscription) return;
  const now = clock.now();
  const end = periodEnd(now, subscription.cycle_count);
  await tx
    .updateTable('subscription')
    .set(eb => ({
      status: 'active' as const,
      version: eb('version', '+', 1),
      started_at: subscription.started_at ?? now,
      period_start: now,
      period_end: end,
    }))
    .where('id', '=', subscription.id)
    .execute();
  const invoice = await tx
    .selectFrom('invoice')
    .select('id')
    .where('order_id', '=', subscription.order_id)
    .executeTakeFirstOrThrow();
  await tx
    .insertInto('subscription_period')
    .values({ subscription_id: subscription.id, starts_at: now, ends_at: end, invoice_id: invoice.id })
    .execute();

  const room = `customer:${subscription.customer_id}` as const;
  await live.publish(tx, room, 'NOTIFICATION', {
    message: 'SUBSCRIPTION_CREATE',
    status: 'success',
    code: '0000',
  });
  await live.publish(tx, room, 'SUBSCRIPTION', { event: 'detailFetch', id: subscription.id });
  await live.publish(tx, `order:${subscription.order_id}`, 'STATUS', { status: 'fulfilled' });
  await jobs.enqueue(tx, 'sendMail', {
    mail: 'ready',
    customerId: subscription.customer_id,
    subjectId: subscription.id,
  });
}
