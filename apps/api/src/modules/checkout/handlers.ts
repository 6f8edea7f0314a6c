import type { guestCalls } from '@fixpoint/contract/calls/guest.ts';
import type { orderCalls } from '@fixpoint/contract/calls/order.ts';
import { parseMetadata, socketToken } from '@fixpoint/contract/metadata.ts';
import type { Caller, Handlers } from '../../caller.ts';
import { isRefusal, refuse } from '../../refusal.ts';
import type { PaidByCard } from '../payment/index.ts';
import { beginOrder } from './begin-order.ts';
import type { CheckoutDeps } from './deps.ts';
import { changeEmail, sendAgain } from './mail-buyer.ts';
import { type Order, orderById, orderOfMetadata, orderOfToken } from './store.ts';
import { type Submission, submitOrder } from './submit-order.ts';
import { creditState, orderState, paymentState, purchaseView } from './view.ts';

export function checkoutHandlers(deps: CheckoutDeps) {
  const { db, clock, payment, account } = deps;

  const stateOf = async (order: Order, reference: string, paid: PaidByCard = {}) => ({
    ...orderState(order, reference),
    ...(await creditState(db, order)),
    ...(await paymentState(db, clock.now(), order, paid.paying)),
    ...(paid.cause && { cause: paid.cause }),
  });

  /** @param saved what pays at once: a saved card, by the provider's name, or what is kept of another method */
  const submit = async (
    submission: Submission,
    caller: Caller,
    { card, methodId }: { card?: string | undefined; methodId?: string | undefined } = {},
  ) => {
    const named = await orderOfMetadata(db, submission.metadata);
    const names = named ? await payment.admitTry(named.id, caller) : [];
    if (isRefusal(names)) return names;
    const result = await submitOrder(deps, submission, methodId);
    if (isRefusal(result)) return result;
    const { order, invoiceId, opened } = result;
    if (invoiceId) await payment.countFor(invoiceId, names);
    const payable = opened?.payable;
    const byCard = card && invoiceId && payable?.kind === 'confirm' && !payable.requiresAction;
    const paid = byCard ? await payment.payByCard(invoiceId, card) : { paying: opened };
    const { reference } = parseMetadata(submission.metadata)!;
    return {
      data: await stateOf(byCard ? (await orderById(db, order.id))! : order, reference, paid),
      token: socketToken(reference),
    };
  };

  return {
    async getMetaData({ body }) {
      return beginOrder(deps, body);
    },

    async purchase({ body }, caller) {
      const { email, language, humanCheck: _, ...consent } = body;
      return submit({ ...consent, buyer: { email, language, customerId: null } }, caller);
    },

    async purchaseLogin({ body }, caller) {
      const { customerId } = caller;
      const { cardId, accountId, humanCheck: _, ...consent } = body;
      const card = cardId ? await payment.usableCard({ saved: cardId, customerId }) : undefined;
      if (isRefusal(card)) return card;
      const kept = { id: accountId ?? '', method: body.paymentMethod, customerId };
      if (accountId && !(await payment.isKept(kept))) return refuse('cardNotFound');
      const { email, language } = (await account.byId(db, customerId))!;
      return submit({ ...consent, buyer: { email, language, customerId } }, caller, {
        card,
        methodId: accountId,
      });
    },

    async confirmPurchase({ body }, caller) {
      const order = await orderOfMetadata(db, body.metadata);
      if (!order) return refuse('productNotFound');
      const { reference } = parseMetadata(body.metadata)!;
      const invoice = await db
        .selectFrom('invoice')
        .select('id')
        .where('order_id', '=', order.id)
        .executeTakeFirst();
      if (!invoice) return stateOf(order, reference);
      if (!body.card) {
        const paying = await payment.ask(invoice.id);
        return stateOf((await orderById(db, order.id))!, reference, { paying });
      }
      const names = await payment.admitTry(order.id, caller);
      if (isRefusal(names)) return names;
      const card = await payment.usableCard({ made: body.card });
      if (isRefusal(card)) return card;
      await payment.countFor(invoice.id, names);
      const paid = await payment.payByCard(invoice.id, card);
      return stateOf((await orderById(db, order.id))!, reference, paid);
    },

    async purchaseData({ body }) {
      const order = await orderOfMetadata(db, body.metadata);
      if (!order) return refuse('productNotFound');
      return purchaseView(db, clock.now(), order, parseMetadata(body.metadata)!.reference);
    },

    async getPaymentMethod({ query }) {
      const order = await orderOfToken(db, socketToken(query.id));
      return order ? { methods: payment.methods(order.currency) } : refuse('productNotFound');
    },
  } satisfies Handlers<typeof orderCalls>;
}

export function guestHandlers(deps: CheckoutDeps) {
  return {
    changeEmail: ({ body }) => changeEmail(deps, body),
    sendAgain: ({ body }) => sendAgain(deps, body.metadata),
  } satisfies Handlers<typeof guestCalls>;
}
