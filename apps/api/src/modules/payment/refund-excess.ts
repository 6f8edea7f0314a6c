import { newId } from '../../secrets.ts';
import type { PaymentDeps } from './payment.ts';
import { attemptById } from './store.ts';

export function createRefunds({ db, clock, cards }: Pick<PaymentDeps, 'db' | 'clock' | 'cards'>) {
  return {
    /** Gives back money that came for an invoice that was paid already, or is void. Exactly once, however often it runs. */
    async refundExcess(attemptId: string): Promise<void> {
      const attempt = await attemptById(db, attemptId);
      if (!attempt?.excess || !attempt.provider_ref) return;
      await db
        .insertInto('refund')
        .values({
          id: newId('ref'),
          attempt_id: attempt.id,
          currency: attempt.currency,
          amount: attempt.amount,
          reason: 'excess',
          status: 'created',
          provider_ref: null,
          created_at: clock.now(),
        })
        .onConflict(conflict => conflict.doNothing())
        .execute();
      const row = await db
        .selectFrom('refund')
        .selectAll()
        .where('attempt_id', '=', attempt.id)
        .where('reason', '=', 'excess')
        .where('status', '=', 'created')
        .executeTakeFirst();
      if (!row) return;
      const { ref, status } = await cards.refund({
        key: row.id,
        providerRef: attempt.provider_ref,
        currency: attempt.currency,
        amount: attempt.amount,
      });
      await db.updateTable('refund').set({ provider_ref: ref, status }).where('id', '=', row.id).execute();
    },
  };
}
