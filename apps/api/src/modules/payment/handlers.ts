import type { paymentCalls } from '@fixpoint/contract/calls/payment.ts';
import type { Handlers } from '../../caller.ts';
import type { Db } from '../../ports/database.ts';

export function paymentHandlers({ db }: { db: Db }) {
  return {
    async getCard(_, { customerId }) {
      const rows = await db
        .selectFrom('saved_method')
        .select(['id', 'brand', 'last4', 'expiry_month', 'expiry_year', 'is_default'])
        .where('customer_id', '=', customerId)
        .orderBy('is_default', 'desc')
        .orderBy('created_at', 'desc')
        .execute();
      return {
        cards: rows.map(row => ({
          id: row.id,
          brand: row.brand,
          last4: row.last4,
          expiryMonth: row.expiry_month,
          expiryYear: row.expiry_year,
          isDefault: row.is_default,
        })),
      };
    },
  } satisfies Handlers<typeof paymentCalls>;
}
