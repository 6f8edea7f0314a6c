import { newId } from '../../secrets.ts';
import type { PaymentDeps } from './payment.ts';
import { attemptById } from './store.ts';

export function createSavedCards({
  db,
  clock,
  cards,
  holdActive,
}: Pick<PaymentDeps, 'db' | 'clock' | 'cards' | 'holdActive'>) {
  return {
    /** Remembers the card that paid, for renewals: the provider's name for it and what a customer recognises it by. */
    async saveCard(attemptId: string, customerId: string): Promise<void> {
      const attempt = await attemptById(db, attemptId);
      if (!attempt?.provider_ref || !attempt.provider_customer) return;
      const { card } = await cards.getPayment(attempt.provider_ref);
      if (!card) return;
      await db.transaction().execute(async tx => {
        // The job may come late: an account that ended meanwhile keeps nothing (S83).
        if (!(await holdActive(tx, customerId))) return;
        await tx
          .updateTable('saved_card')
          .set({ is_default: false })
          .where('customer_id', '=', customerId)
          .where('is_default', '=', true)
          .execute();
        await tx
          .insertInto('saved_card')
          .values({
            id: newId('card'),
            customer_id: customerId,
            provider_customer: attempt.provider_customer!,
            provider_ref: card.ref,
            brand: card.brand,
            last4: card.last4,
            expiry_month: card.expiryMonth,
            expiry_year: card.expiryYear,
            is_default: true,
            created_at: clock.now(),
          })
          .onConflict(conflict => conflict.column('provider_ref').doUpdateSet({ is_default: true }))
          .execute();
      });
    },
  };
}
