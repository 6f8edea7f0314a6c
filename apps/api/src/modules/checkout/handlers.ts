import type { guestCalls } from '@fixpoint/contract/calls/guest.ts';
import type { orderCalls } from '@fixpoint/contract/calls/order.ts';
import type { subscriptionCalls } from '@fixpoint/contract/calls/subscription.ts';
import type { Received } from '@fixpoint/contract/endpoint.ts';
import { parseMetadata, socketToken } from '@fixpoint/contract/metadata.ts';
import { paidByCredit } from '@fixpoint/contract/minimum-charge.ts';
import type { Caller, Handlers } from '../../kernel/caller.ts';
import { isRefusal } from '../../kernel/refusal.ts';
import { availableCredit, restToCarry } from '../billing/index.ts';
import { comingVat, offered, pricedView } from '../catalog/index.ts';
import type { Means, PaidByCard } from '../payment/index.ts';
import { beginOrder, endOfOrder } from './begin-order.ts';
import type { CheckoutDeps } from './deps.ts';
import { changeEmail, sendAgain } from './email-buyer.ts';
import { reactivationOf } from './reactivation.ts';
import { proratedFor, replacementOf } from './replacement.ts';
import { type OrderOnPage, orderById, orderOfMetadata, orderOfToken } from './store.ts';
import { type Submission, submitOrder } from './submit-order.ts';
import { unknownOrder } from './unknown-order.ts';
import { changeOf, changeView } from './upgrade.ts';
import { creditState, orderState, paymentState, purchaseView } from './view.ts';
import { previewWithdrawal, withdraw } from './withdraw.ts';

export function checkoutHandlers(deps: CheckoutDeps) {
  const { db, clock, payment, account } = deps;
  const withComingVat = async <T extends { billedAt: string }>(priced: T) => ({
    ...priced,
    ...(await comingVat(db, deps.saleCountry, clock.now(), new Date(priced.billedAt))),
  });

  const stateOf = (order: OrderOnPage, reference: string, paid: PaidByCard = {}) => ({
    ...orderState(order, reference),
    ...creditState(order),
    ...paymentState(clock.now(), order, paid.paying),
    ...(paid.cause && { cause: paid.cause }),
  });

  const submit = async (submission: Submission, caller: Caller, means: Means = {}) => {
    const named = await orderOfMetadata(db, submission.metadata);
    const { customerId } = submission.buyer;
    const brake = submission.paymentMethod === 'card';
    if (!named) return unknownOrder();
    const admitted = await payment.admitTry({ subject: named.id, customerId, brake }, caller);
    if (isRefusal(admitted)) return admitted;
    const submitted = await submitOrder(deps, submission, named, { admitted, means });
    if (isRefusal(submitted)) return submitted;
    const { orderId, unpaid } = submitted;
    const offered = means.card || means.accountId ? undefined : unpaid?.order;
    const paid = unpaid ? await payment.pay(unpaid.paying, unpaid.begun) : {};
    if (isRefusal(paid)) return paid;
    const { reference } = parseMetadata(submission.metadata)!;
    return {
      // A payment that was only opened has not changed the order: its state is that of the submission.
      data: stateOf(paid.paying && offered ? offered : (await orderById(db, orderId))!, reference, paid),
      token: socketToken(reference),
    };
  };

  const submitOwn = async (
    { cardId, accountId, humanCheck: _, ...consent }: Received<(typeof orderCalls)['purchaseLogin']>['body'],
    caller: Caller & { customerId: string },
    reactivates = false,
  ) => {
    const { customerId } = caller;
    const chosen = { paymentMethod: consent.paymentMethod, cardId, accountId };
    const means = await payment.meansOf(customerId, chosen);
    if (isRefusal(means)) return means;
    const { email, language } = (await account.byId(db, customerId))!;
    return submit({ ...consent, buyer: { email, language, customerId }, reactivates }, caller, means);
  };

  return {
    getMetaData({ body }, caller) {
      payment.markDevice(caller);
      return beginOrder(deps, caller.customerId, body);
    },

    async purchase({ body }, caller) {
      const { email, language, humanCheck: _, ...consent } = body;
      return submit({ ...consent, buyer: { email, language, customerId: null } }, caller);
    },

    purchaseLogin: ({ body }, caller) => submitOwn(body, caller),
    purchaseReactivate: ({ body }, caller) => submitOwn(body, caller, true),

    async getData({ query }, { customerId }) {
      const of = { customerId, subscriptionId: query.id };
      if (query.planId) {
        const planId = query.planId;
        const change = await changeOf(db, clock.now(), deps.saleCountry, { ...of, planId });
        if (isRefusal(change)) return change;
        const { currency, price } = change;
        await payment.methods(currency);
        const credit = paidByCredit(currency, price, await availableCredit(db, customerId, currency));
        const rest = { customerId, currency, rest: change.upgrade ? price - credit : 0 };
        const carried = await restToCarry(db, rest, amount => payment.takes(currency, amount));
        return withComingVat(changeView(change, clock.now(), carried));
      }
      const now = clock.now();
      const found = await reactivationOf(db, now, deps.saleCountry, of, endOfOrder(now));
      if (isRefusal(found)) return found;
      const { reserved, currency, product } = found;
      const full = !reserved && !(await offered(db, now, deps.saleCountry, currency, product.id));
      return {
        ...(await withComingVat(pricedView(found, now))),
        ...(reserved && { held: { address: reserved.address, until: reserved.until.toISOString() } }),
        ...(full && { full }),
      };
    },

    async getReplacement({ query }, { customerId }) {
      const found = await replacementOf(db, clock.now(), { customerId, subscriptionId: query.id });
      if (isRefusal(found)) return found;
      const { currency, offer, product } = found;
      const { days, unused } = offer;
      return { id: query.id, currency, days, unused, product };
    },

    async confirmPurchase({ body }, caller) {
      const order = await orderOfMetadata(db, body.metadata);
      if (!order) return unknownOrder();
      const { reference } = parseMetadata(body.metadata)!;
      const { invoice_id: invoiceId } = order;
      if (!invoiceId) return stateOf(order, reference);
      if (!body.card) {
        const paying = await payment.ask(invoiceId);
        return stateOf((await orderById(db, order.id))!, reference, { paying });
      }
      const { id: subject, customer_id: customerId } = order;
      const admitted = await payment.admitTry({ subject, customerId, brake: true }, caller);
      if (isRefusal(admitted)) return admitted;
      const card = await payment.usableCard({ made: body.card });
      if (isRefusal(card)) return card;
      const paid = await payment.payByCard(invoiceId, card, admitted);
      if (isRefusal(paid)) return paid;
      return stateOf((await orderById(db, order.id))!, reference, paid);
    },

    async purchaseData({ body }) {
      const order = await orderOfMetadata(db, body.metadata);
      if (!order) return unknownOrder();
      return purchaseView(deps, order, parseMetadata(body.metadata)!.reference);
    },

    async getPaymentMethod({ query }) {
      const found = await orderOfToken(db, socketToken(query.id));
      if (!found) return unknownOrder();
      const order = (await orderById(db, found.id))!;
      const { price, credit_used, prepaid } = order;
      const due = price - proratedFor(order) - (credit_used ?? 0) - (prepaid ?? 0);
      return { methods: await payment.methods(order.currency, due > 0 ? due : undefined) };
    },
  } satisfies Handlers<typeof orderCalls>;
}

export function withdrawHandlers(deps: CheckoutDeps) {
  return {
    withdrawal: ({ query }, { customerId }) => previewWithdrawal(deps, customerId, query),
    withdraw: ({ body }, { customerId }) => withdraw(deps, customerId, body),
  } satisfies Handlers<typeof subscriptionCalls>;
}

export function guestHandlers(deps: CheckoutDeps) {
  return {
    changeEmail: ({ body }) => changeEmail(deps, body),
    sendAgain: ({ body }) => sendAgain(deps, body.metadata),
  } satisfies Handlers<typeof guestCalls>;
}
