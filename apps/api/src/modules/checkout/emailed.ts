import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { JobData } from '../../ports/jobs.ts';

/** Remembers that the mail server has accepted an email about an order; its success page says so. */
export async function orderEmailed(
  { db, clock }: { db: Db; clock: Clock },
  { template, subjectId }: JobData['sendEmail'],
): Promise<void> {
  if (template !== 'ready' && template !== 'receipt') return;
  await db
    .updateTable('shop_order')
    .set({ emailed_at: clock.now() })
    .where('id', '=', eb =>
      template === 'ready'
        ? eb.selectFrom('subscription').select('order_id').where('id', '=', subjectId)
        : eb
            .selectFrom('invoice')
            .select('order_id')
            .where('id', '=', subjectId)
            .$narrowType<{ order_id: string }>(),
    )
    .execute();
}

/** A receipt that comes before the subscription is ready is sent after this time. */
const FIRST_MS = 60_000;

/**
 * Whether the email that leads a buyer on is sent: that the subscription is ready, or the receipt before. It shows nothing
 * of whether the address had an account (S17).
 */
export function isEmailed(
  order: { emailed_at: Date | null; fulfilled_at: Date | null },
  startedAt: Date | null | undefined,
  now: Date,
): boolean {
  const { emailed_at: emailedAt, fulfilled_at: fulfilledAt } = order;
  if (!emailedAt || !fulfilledAt) return false;
  return startedAt ? emailedAt >= startedAt : now.getTime() - fulfilledAt.getTime() >= FIRST_MS;
}
