import type { invoiceCalls } from '@fixpoint/contract/calls/invoice.ts';
import type { paymentCalls } from '@fixpoint/contract/calls/payment.ts';
import type { Handlers } from '../../caller.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import { askByHand, payByHand } from './by-hand.ts';
import { payInvoice } from './pay-invoice.ts';
import type { Payment } from './payment.ts';
import { cardsOf } from './saved-methods.ts';

export function paymentHandlers({ db, payment }: { db: Db; payment: Payment }) {
  return {
    async getCard(_, { customerId }) {
      const cards = await cardsOf(db, customerId)
        .select(['id', 'is_default as isDefault'])
        .orderBy('is_default', 'desc')
        .orderBy('created_at', 'desc')
        .execute();
      return { cards };
    },

    payment: ({ body }, { customerId }) => payInvoice({ db, payment }, customerId, body),
  } satisfies Handlers<typeof paymentCalls>;
}

export function invoiceHandlers(deps: { db: Db; clock: Clock; payment: Payment }) {
  return {
    payInvoice: ({ body }, { customerId }) => payByHand(deps, customerId, body),
    askInvoice: ({ body }, { customerId }) => askByHand(deps, customerId, body),
  } satisfies Handlers<typeof invoiceCalls>;
}
