import { payableAttempt } from '@fixpoint/domain/payment/attempt.ts';
import type { Db } from '../../ports/database.ts';
import { voidRenewal } from '../billing/index.ts';
import type { TransitionDeps } from './deps.ts';

/**
 * Closes the payments of a customer's next renewal at the gateway before that period is sold as another plan, so that nobody
 * is charged twice. Money that is faster counts.
 * @throws NamedFault when the gateway does not answer
 */
export async function closeRenewal(
  deps: { db: Db; close(invoiceId: string): Promise<void> },
  of: { customerId: string; subscriptionId: string },
): Promise<void> {
  const open = await deps.db
    .selectFrom('invoice')
    .select('id')
    .where('subscription_id', '=', of.subscriptionId)
    .where('customer_id', '=', of.customerId)
    .where('purpose', '=', 'renewal')
    .where('status', '=', 'open')
    .executeTakeFirst();
  if (open) await deps.close(open.id);
}

/**
 * Voids the next renewal of a locked subscription. A job polls each open attempt, which closes it; nobody waits for that
 * (X27).
 */
export async function dropRenewal(
  { clock, jobs }: Pick<TransitionDeps, 'clock' | 'jobs'>,
  tx: Db,
  subscriptionId: string,
): Promise<void> {
  const invoiceId = await voidRenewal(tx, clock.now(), subscriptionId);
  if (!invoiceId) return;
  const attempts = await tx
    .selectFrom('attempt')
    .select('id')
    .where('invoice_id', '=', invoiceId)
    .where('status', 'in', payableAttempt)
    .execute();
  for (const { id } of attempts) await jobs.enqueue(tx, 'askAttempt', { attemptId: id });
}
