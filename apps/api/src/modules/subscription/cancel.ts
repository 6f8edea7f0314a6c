import { isOverdue } from '@fixpoint/domain/subscription/subscription.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import { dropRenewal } from './close-renewal.ts';
import type { SubscriptionDeps } from './deps.ts';
import { refuseAction } from './refuse-action.ts';
import { lockOwn, stateOf } from './store.ts';
import { transitionSubscription } from './transition.ts';

type Cancellation = { id: string; reasons: readonly string[]; comment?: string | undefined; undo: boolean };

/**
 * Cancels a subscription at the end of its period, or with `undo` resumes it until its last day. An unpaid renewal invoice is
 * voided. A repeated call changes nothing.
 */
export function cancelSubscription(
  deps: SubscriptionDeps,
  customerId: string,
  { id, reasons, comment, undo }: Cancellation,
) {
  const { db, clock, jobs } = deps;
  return db
    .transaction()
    .execute(async (tx): Promise<Refusal | { cancelAtPeriodEnd: boolean; periodEnd?: string }> => {
      const row = await lockOwn(tx, customerId, id);
      if (!row) return refuse('subscriptionNotFound');
      const answer = {
        cancelAtPeriodEnd: !undo,
        ...(row.period_end && { periodEnd: row.period_end.toISOString() }),
      };
      const served = row.status === 'active' || row.status === 'pastDue';
      if (served && row.cancel_at_period_end === !undo) return answer;
      const lastDay = isOverdue(stateOf(row), clock.now()) ? null : row.period_end;
      const moved = undo
        ? await transitionSubscription(deps, tx, row, 'resume')
        : await transitionSubscription(deps, tx, row, 'cancel', { day: lastDay?.toISOString() ?? null });
      if (!moved.ok) return refuseAction(moved.refusal);
      if (!undo) {
        await tx
          .insertInto('cancellation')
          .values({
            subscription_id: row.id,
            customer_id: customerId,
            version: moved.row.version,
            reasons: [...new Set(reasons)],
            comment: comment?.trim() || null,
          })
          .execute();
        await dropRenewal(deps, tx, row.id);
      }
      await jobs.enqueue(tx, 'sendEmail', {
        template: undo ? 'resumed' : 'cancelled',
        customerId,
        subjectId: row.id,
        copy: String(moved.row.version),
      });
      return answer;
    });
}
