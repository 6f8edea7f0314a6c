import type { guestCalls } from '@fixpoint/contract/calls/guest.ts';
import type { orderCalls } from '@fixpoint/contract/calls/order.ts';
import { parseMetadata, socketToken } from '@fixpoint/contract/metadata.ts';
import type { Handlers } from '../../caller.ts';
import { isRefusal, refuse } from '../../refusal.ts';
import { pricedView } from '../catalog/index.ts';
import { beginOrder } from './begin-order.ts';
import type { CheckoutDeps } from './deps.ts';
import { changeEmail, sendAgain } from './mail-buyer.ts';
import { reactivationOf } from './reactivation.ts';
import { orderOfMetadata, orderOfToken } from './store.ts';
import { type Submission, submitOrder } from './submit-order.ts';
import { orderState, paymentState, purchaseView } from './view.ts';

export function checkoutHandlers(deps: CheckoutDeps) {
  const { db, clock, payment, account } = deps;

  const submit = async (submission: Submission) => {
    const result = await submitOrder(deps, submission);
    if (isRefusal(result)) return result;
    const { reference } = parseMetadata(submission.metadata)!;
    return {
      data: {
        ...orderState(result.order, reference),
        ...(await paymentState(db, clock.now(), result.order, result.opened)),
      },
      token: socketToken(reference),
    };
  };

  return {
    async getMetaData({ body }, { customerId }) {
      return beginOrder(deps, customerId, body);
    },

    async purchase({ body }) {
      const { email, language, ...consent } = body;
      return submit({ ...consent, buyer: { email, language, customerId: null } });
    },

    async purchaseLogin({ body }, { customerId }) {
      const { cardId, ...consent } = body;
      // Saved cards are for renewals so far: choosing one here is refused, never silently replaced by a new card.
      if (cardId) return refuse('cardNotFound');
      const { email, language } = (await account.byId(db, customerId))!;
      return submit({ ...consent, buyer: { email, language, customerId } });
    },

    async purchaseReactivate({ body }, { customerId }) {
      const { cardId, ...consent } = body;
      if (cardId) return refuse('cardNotFound');
      const { email, language } = (await account.byId(db, customerId))!;
      return submit({ ...consent, buyer: { email, language, customerId }, reactivates: true });
    },

    async getData({ query }, { customerId }) {
      const of = { customerId, subscriptionId: query.id };
      const found = await reactivationOf(db, clock.now(), deps.saleCountry, of);
      if (isRefusal(found)) return found;
      const { held } = found;
      return {
        ...pricedView(found, clock.now()),
        ...(held && { held: { address: held.address, until: held.until.toISOString() } }),
      };
    },

    async confirmPurchase({ body }) {
      const order = await orderOfMetadata(db, body.metadata);
      if (!order) return refuse('productNotFound');
      const invoice = await db
        .selectFrom('invoice')
        .select('id')
        .where('order_id', '=', order.id)
        .executeTakeFirst();
      const paying = invoice && (await payment.ask(invoice.id));
      const after = (await orderOfMetadata(db, body.metadata))!;
      return {
        ...orderState(after, parseMetadata(body.metadata)!.reference),
        ...(await paymentState(db, clock.now(), after, paying)),
      };
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
