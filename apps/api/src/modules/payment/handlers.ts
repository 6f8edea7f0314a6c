import type { paymentCalls } from '@fixpoint/contract/calls/payment.ts';
import type { Handlers } from '../../caller.ts';
import type { Db } from '../../ports/database.ts';
import { cardsOf } from './saved-methods.ts';

export function paymentHandlers({ db }: { db: Db }) {
  return {
    async getCard(_, { customerId }) {
      const cards = await cardsOf(db, customerId)
        .select(['id', 'is_default as isDefault'])
        .orderBy('is_default', 'desc')
        .orderBy('created_at', 'desc')
        .execute();
      return { cards };
    },
  } satisfies Handlers<typeof paymentCalls>;
}
