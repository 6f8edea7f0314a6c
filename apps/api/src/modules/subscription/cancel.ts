import { isOverdue } from '@fixpoint/domain/subscription/subscription.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import { dropRenewal } from './close-renewal.ts';
import type { SubscriptionDeps } from './deps.ts';
import { moveSubscription } from './move.ts';
import { lockOwn, stateOf } from './store.ts';

type Wish = { id: string; reasons: readonly string[]; comment?: string | undefined; undo: boolean };

/**
 * Turns the renewal of a subscription off, or on again until its last day. What is paid is used up; an invoice of the next
 * period that is not paid is not asked for any more. Saying the same again changes nothing.
 */
export function cancelSubscription(deps: SubscriptionDeps, customerId: string, wish: Wish) {
  const { db, clock, jobs } = deps;
  return db
    .transaction()
    .execute(async (tx): Promise<Refusal | { cancelAtPeriodEnd: boolean; periodEnd?: string }> => {
      const row = await lockOwn(tx, customerId, wish.id);
      if (!row) return refuse('subscriptionNotFound');
      const answer = {
        cancelAtPeriodEnd: !wish.undo,
        ...(row.period_end && { periodEnd: row.period_end.toISOString() }),
      };
      const served = row.status === 'active' || row.status === 'pastDue';
      if (served && row.cancel_at_period_end === !wish.undo) return answer;
      const lastDay = isOverdue(stateOf(row), clock.now()) ? null : row.period_end;
      const moved = wish.undo
        ? await moveSubscription(deps, tx, row, 'resume')
        : await moveSubscription(deps, tx, row, 'cancel', { day: lastDay?.toISOString() ?? null });
      if (!moved.ok) return refuse(moved.refusal);
      if (!wish.undo) {
        await tx
          .insertInto('cancellation')
          .values({
            subscription_id: row.id,
            customer_id: customerId,
            version: moved.row.version,
            reasons: [...new Set(wish.reasons)],
            comment: wish.comment?.trim() || null,
          })
          .execute();
        await dropRenewal(deps, tx, row.id);
      }
      await jobs.enqueue(tx, 'sendEmail', {
        template: wish.undo ? 'resumed' : 'cancelled',
        customerId,
        subjectId: row.id,
        copy: String(moved.row.version),
      });
      return answer;
    });
}
