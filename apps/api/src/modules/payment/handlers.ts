import type { payLinkCalls } from '@fixpoint/contract/calls/pay-link.ts';
import type { paymentCalls } from '@fixpoint/contract/calls/payment.ts';
import { isPast } from '@fixpoint/domain/payment/card.ts';
import type { Handlers } from '../../kernel/caller.ts';
import { isRefusal, refuse } from '../../kernel/refusal.ts';
import { allCredit } from '../billing/index.ts';
import { askOwnInvoice, payInvoice } from './attempt/index.ts';
import { admitTry } from './card-testing.ts';
import type { PaymentDeps } from './deps.ts';
import { askByLink, type PayLinkDeps, payByLink, readLinkedInvoice } from './pay-link/index.ts';
import { methodsFor } from './payment.ts';
import {
  accountsOf,
  amountsDue,
  cardsOf,
  continueSaving,
  makeDefault,
  removeMethod,
  saveCard,
} from './saved-method/index.ts';

/** Limit of goodwill gifts that are shown beside the credit. */
const MOST_GOODWILL = 3;

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

  return {
    async getCard(_, { customerId }) {
      const credit = await allCredit(db, customerId);
      const accounts = await accountsOf(db, customerId)
        .select(['id', 'is_default as isDefault'])
        .orderBy('created_at')
        .execute();
      const goodwill = await db
        .selectFrom('goodwill')
        .select(['currency', 'amount', 'created_at'])
        .where('customer_id', '=', customerId)
        .orderBy('created_at', 'desc')
        .limit(MOST_GOODWILL)
        .execute();
      return {
        cards: await cards(customerId),
        accounts,
        owed: await amountsDue(deps, customerId),
        credit: credit.map(has => ({
          ...has,
          goodwill: goodwill
            .filter(({ currency }) => currency === has.currency)
            .map(({ amount, created_at }) => ({ amount, at: created_at.toISOString() })),
        })),
      };
    },

    async updPayment({ body }, caller) {
      const { customerId, language, role } = caller;
      // Decided by the request alone: others renew by these methods.
      const changesTheirs = body.makeDefault ?? body.remove ?? body.replaces ?? body.asDefault;
      if (changesTheirs && role !== 'owner') return refuse('forbidden');
      if (body.makeDefault) {
        return (await makeDefault(deps, customerId, body.makeDefault)) ? {} : refuse('cardNotFound');
      }
      if (body.remove) {
        return (await removeMethod(deps, customerId, body.remove)) ? {} : refuse('cardNotFound');
      }
      const admitted = await admitTry(deps, { subject: customerId, customerId, brake: true }, caller);
      if (isRefusal(admitted)) return admitted;
      const { replaces, asDefault = false } = body;
      const saving = { customerId, language, replaces, asDefault, admitted };
      const saved = body.card
        ? await saveCard(deps, body.card, saving)
        : await continueSaving(deps, body.setupIntent!, saving);
      if (isRefusal(saved) || 'asked' in saved) return saved;
      return { card: (await cards(customerId)).find(({ id }) => id === saved.id)! };
    },

    payment: ({ body }, caller) => payInvoice(deps, body, caller),
    askInvoice: ({ body }, { customerId }) => askOwnInvoice(deps, customerId, body.invoiceId),
  } satisfies Handlers<typeof paymentCalls>;
}

export function payLinkHandlers(of: Omit<PayLinkDeps, 'methods'>) {
  const deps: PayLinkDeps = { ...of, methods: (currency, amount) => methodsFor(of, currency, amount) };
  return {
    invoice: (_, { linkToken }) => readLinkedInvoice(deps, linkToken),
    pay: ({ body }, caller) => payByLink(deps, caller.linkToken, body, caller),
    ask: (_, { linkToken }) => askByLink(deps, linkToken),
  } satisfies Handlers<typeof payLinkCalls>;
}
