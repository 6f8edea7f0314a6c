import type { paymentCalls } from '@fixpoint/contract/calls/payment.ts';
import { isPast } from '@fixpoint/domain/payment/card.ts';
import type { Caller, Handlers } from '../../caller.ts';
import { isRefusal, type Refusal, refuse, wantProof } from '../../refusal.ts';
import { countFor, declineNames, wantsProof } from './declines.ts';
import type { PaymentDeps } from './deps.ts';
import { openPayment } from './open-payment.ts';
import { payByCard, usableCard } from './pay-by-card.ts';
import { goOnSaving, saveCard } from './save-card.ts';
import { accountsOf, cardsOf, makeDefault, removeMethod } from './saved-methods.ts';

export function paymentHandlers(deps: PaymentDeps) {
  const { db, clock } = deps;

  async function cards(customerId: string) {
    const rows = await cardsOf(db, customerId)
      .select(['id', 'is_default as isDefault'])
      .orderBy('is_default', 'desc')
      .orderBy('created_at', 'desc')
      .execute();
    return rows.map(({ holder, ...card }) => ({
      ...card,
      ...(holder && { holder }),
      isPast: isPast(card, clock.now()),
    }));
  }

  async function proofWanted(names: readonly string[], { proved }: Caller): Promise<Refusal | undefined> {
    return !proved && (await wantsProof(deps, names)) ? wantProof() : undefined;
  }

  return {
    async getCard(_, { customerId }) {
      const credit = await db
        .selectFrom('account_credit')
        .select(['currency', 'amount'])
        .where('customer_id', '=', customerId)
        .where('amount', '>', 0)
        .orderBy('currency')
        .execute();
      const accounts = await accountsOf(db, customerId)
        .select(['id', 'is_default as isDefault'])
        .orderBy('created_at')
        .execute();
      return { cards: await cards(customerId), accounts, credit };
    },

    async updPayment({ body }, caller) {
      const { customerId, language } = caller;
      if (body.makeDefault) {
        return (await makeDefault(deps, customerId, body.makeDefault)) ? {} : refuse('cardNotFound');
      }
      if (body.remove) {
        return (await removeMethod(deps, customerId, body.remove)) ? {} : refuse('cardNotFound');
      }
      const names = declineNames(customerId, caller);
      const unproved = await proofWanted(names, caller);
      if (unproved) return unproved;
      const saving = { customerId, language, replaces: body.replaces, names };
      const saved = body.card
        ? await saveCard(deps, body.card, saving)
        : await goOnSaving(deps, body.setupIntent!, saving);
      if (isRefusal(saved) || 'asked' in saved) return saved;
      return { card: (await cards(customerId)).find(({ id }) => id === saved.id)! };
    },

    async payment({ body }, caller) {
      const { customerId } = caller;
      const invoice = await db
        .selectFrom('invoice')
        .select(['id', 'status', 'order_id'])
        .where('id', '=', body.invoiceId)
        .where('customer_id', '=', customerId)
        .executeTakeFirst();
      // Another's invoice is none, and one that is not to be paid has nothing to pay by.
      if (!invoice || invoice.status === 'void') return refuse('productNotFound');
      if (invoice.status === 'paid') return { status: 'paid' };
      const names = declineNames(invoice.order_id ?? invoice.id, caller);
      const unproved = await proofWanted(names, caller);
      if (unproved) return unproved;
      const choice = body.cardId ? { saved: body.cardId, customerId } : body.card && { made: body.card };
      const card = choice ? await usableCard(deps, choice) : refuse('cardNotFound');
      if (isRefusal(card)) return card;
      if (!(await openPayment(deps, invoice.id, 'card'))) return { status: 'paid' };
      await countFor(deps, invoice.id, names);
      const { paying, failure, cause } = await payByCard(deps, invoice.id, card);
      if (failure) return refuse(failure, { cause });
      if (!paying) return { status: 'paid' };
      const { payable } = paying;
      return payable.kind === 'confirm'
        ? { status: 'asked', clientSecret: payable.clientSecret }
        : { status: 'processing' };
    },
  } satisfies Handlers<typeof paymentCalls>;
}
