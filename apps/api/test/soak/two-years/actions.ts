import {
  beginOrder,
  cardPaymentOf,
  confirmCard,
  logInByEmail,
  type OrderState,
  PASSWORD,
  until,
} from '@fixpoint/testkit/buyer.ts';
import { createClient, type TestClient } from '@fixpoint/testkit/client.ts';
import { paymentHandleOf } from '@fixpoint/testkit/load-test/pay.ts';
import type { TestShop } from '@fixpoint/testkit/shop.ts';
import { expect } from 'vitest';
import type { JobRunner } from '../../../src/adapters/jobs/runner.ts';
import { asApplication } from '../../../src/database/scope.ts';
import { giveGoodwill } from '../../../src/modules/billing/index.ts';
import { planRefund, refundInvoice } from '../../../src/modules/payment/index.ts';
import { orderElsewhere } from '../../checkout/replacing.ts';
import { orderPlan } from '../../checkout/upgrading.ts';
import { orderAgain } from '../../subscription/renewing.ts';
import type { Downgrade } from './audit/facts.ts';
import { listPrice } from './audit/prices.ts';
import type { Action, Method, Story } from './customers.ts';

const MINUTE_MS = 60_000;

export type Simulation = { shop: TestShop; jobs: JobRunner; downgrades: Downgrade[] };
/**
 * A customer who has bought. `asked`: since when only they can pay; `paid`: number of invoices that they paid when asked;
 * `dispute`: an open one at their gateway.
 */
export type Person = {
  story: Story;
  customerId: string;
  subscriptionId: string;
  asked: Date | undefined;
  paid: number;
  dispute?: string;
};

/** Pays at the gateway what a page offers. @returns whether there was something to pay */
async function payAtGateway({ shop }: Simulation, data: OrderState | undefined, share = 1): Promise<boolean> {
  const offered = data && paymentHandleOf(data);
  if (!offered) return false;
  const { control } = shop.sandbox;
  const pays: Record<Method, () => Promise<unknown>> = {
    card: () => confirmCard(shop, cardPaymentOf(data)),
    paypal: () => control('paypal/approve', { order: offered.name, funding: 'balance' }),
    promptpay: () => control('promptpay/pay', { intent: offered.name }),
    bitcoin: async () => {
      await control('btcpay/pay', { invoice: offered.name, share });
      await control('btcpay/confirm', { invoice: offered.name });
    },
  };
  await pays[offered.method]();
  return true;
}

/** Buys for the first time, as a visitor, and logs in by the emailed link. */
export async function join(simulation: Simulation, story: Story): Promise<Person> {
  const { shop } = simulation;
  const { email, plan: planId, months: cycleCount, currency, method: paymentMethod } = story;
  const visitor = createClient(shop.url);
  const { consent, metadata } = await beginOrder(visitor, { planId, cycleCount, currency });
  const bought = await visitor.order.purchase({ body: { ...consent, paymentMethod, email, language: 'en' } });
  await payAtGateway(simulation, bought.data);
  await visitor.order.confirmPurchase({ body: { metadata } });
  const subscriptionId = await delivered(simulation, metadata);
  await shop.sweep();
  await logInByEmail(shop, email);
  const { customer_id: customerId } = await shop.db
    .selectFrom('subscription')
    .select('customer_id')
    .where('id', '=', subscriptionId)
    .executeTakeFirstOrThrow();
  const isCharged = paymentMethod === 'card' || paymentMethod === 'paypal';
  return { story, customerId, subscriptionId, asked: isCharged ? undefined : new Date(0), paid: 0 };
}

const delivered = async ({ shop }: Simulation, metadata: string): Promise<string> => {
  await shop.sweep();
  return until(async () => {
    const { data } = await shop.client.order.purchaseData({ body: { metadata } });
    return data?.subscription?.status === 'active' && data.subscription.id;
  }, 'what was bought');
};

/** Logs in, because days have passed. */
async function logIn({ shop }: Simulation, { story: { email } }: Person): Promise<TestClient> {
  const { code, token } = await shop.client.auth.login({ body: { email, password: PASSWORD } });
  expect(code).toBe('0000');
  return createClient(shop.url, token);
}

/** Pays an open invoice in the customer's own way. @returns whether it is paid */
export async function payInvoice(
  simulation: Simulation,
  person: Person,
  invoiceId: string,
  share: number,
): Promise<boolean> {
  const client = await logIn(simulation, person);
  const { method: paymentMethod } = person.story;
  const pressed = await client.payment.payment({ body: { invoiceId, paymentMethod } });
  expect(pressed.code, JSON.stringify(pressed.data)).toBe('0000');
  await payAtGateway(simulation, pressed.data as OrderState, share);
  await simulation.shop.sweep();
  return (await client.payment.askInvoice({ body: { invoiceId } })).data?.status === 'paid';
}

type Consent = Awaited<ReturnType<typeof orderPlan>>;
/** Pays an order of a present customer, with what they have saved or as they paid before. */
async function payOrder(
  simulation: Simulation,
  client: TestClient,
  { story: { method: paymentMethod } }: Person,
  consent: Consent,
  call: 'purchaseLogin' | 'purchaseReactivate' = 'purchaseLogin',
): Promise<void> {
  const { accounts } = (await client.payment.getCard()).data!;
  const saved = paymentMethod === 'paypal' && accounts[0] ? { accountId: accounts[0].id } : {};
  const pressed = await client.order[call]({ body: { ...consent, paymentMethod, ...saved } });
  expect(pressed.code, JSON.stringify(pressed.data)).toBe('0000');
  await payAtGateway(simulation, pressed.data as OrderState);
  await client.order.confirmPurchase({ body: { metadata: consent.metadata } });
}

/** The newest paid invoice of a subscription with money in it. */
async function lastPaid({ shop }: Simulation, { subscriptionId }: Person) {
  return shop.db
    .selectFrom('invoice')
    .innerJoin('attempt', 'attempt.invoice_id', 'invoice.id')
    .select(['number', 'total', 'attempt.provider_ref', 'attempt.charge_ref', 'invoice.currency'])
    .where('subscription_id', '=', subscriptionId)
    .where('invoice.status', '=', 'paid')
    .where('attempt.status', '=', 'succeeded')
    .orderBy('paid_at', 'desc')
    .executeTakeFirstOrThrow();
}

/** Performs an action, and expects that it is possible. */
export async function act(simulation: Simulation, person: Person, action: Action): Promise<void> {
  const { shop } = simulation;
  const { subscriptionId: id, story } = person;
  const { control } = shop.sandbox;
  switch (action.does) {
    case 'upgrade': {
      const client = await logIn(simulation, person);
      await payOrder(simulation, client, person, await orderPlan(client, person, action.plan));
      break;
    }
    case 'downgrade': {
      const client = await logIn(simulation, person);
      const { code } = await client.subscription.planDowngrade({ body: { id, planId: action.plan } });
      expect(code).toBe('0000');
      simulation.downgrades.push({ subscriptionId: id, plan: action.plan, at: shop.clock.now() });
      break;
    }
    case 'cancel':
    case 'resume': {
      const client = await logIn(simulation, person);
      const { code } = await client.subscription.cancelSubscription({
        body: { id, undo: action.does === 'resume' },
      });
      expect(code).toBe('0000');
      break;
    }
    case 'reactivate': {
      const client = await logIn(simulation, person);
      const consent = await orderAgain(client, id);
      await payOrder(simulation, client, person, consent, 'purchaseReactivate');
      await delivered(simulation, consent.metadata);
      break;
    }
    case 'replace': {
      const client = await logIn(simulation, person);
      const consent = await orderElsewhere(client, person, { cycleCount: action.months });
      await payOrder(simulation, client, person, consent);
      person.subscriptionId = await delivered(simulation, consent.metadata);
      break;
    }
    case 'cardFails':
      return cardIs(simulation, person, 'pm_card_chargeCustomerFail');
    case 'cardWorks':
      return cardIs(simulation, person, 'pm_card_visa');
    case 'revoke': {
      const { provider_ref: token } = await savedMethod(simulation, person);
      await control('paypal/vault/revoke', { token });
      person.asked = shop.clock.now();
      break;
    }
    case 'dispute': {
      const { provider_ref, charge_ref } = await lastPaid(simulation, person);
      const opened =
        story.method === 'paypal'
          ? await control('paypal/disputes/open', { capture: charge_ref })
          : await control('disputes/open', { payment_intent: provider_ref });
      person.dispute = opened.id;
      break;
    }
    case 'decide': {
      const path = story.method === 'paypal' ? 'paypal/disputes/close' : 'disputes/close';
      await control(path, { dispute: person.dispute, outcome: action.outcome });
      break;
    }
    case 'refund': {
      const { number } = await lastPaid(simulation, person);
      const wanted = { reason: 'Asked for', asCredit: action.asCredit ?? false };
      const all = await planRefund(shop, number!, wanted);
      const exact = { ...wanted, amount: Math.round((all.left * action.share) / 100) * 100 };
      const plan = await planRefund(shop, number!, exact);
      const deps = { db: shop.db, clock: shop.clock, jobs: simulation.jobs };
      await asApplication(() => refundInvoice(deps, number!, exact, plan.code));
      break;
    }
    case 'withdraw': {
      const client = await logIn(simulation, person);
      const { data: back } = await client.subscription.withdrawal({ query: { id, country: action.country } });
      const { code } = await client.subscription.withdraw({
        body: { id, country: action.country, back: back! },
      });
      expect(code).toBe('0000');
      break;
    }
    case 'goodwill': {
      const deps = { db: shop.db, clock: shop.clock, jobs: simulation.jobs };
      const { currency, email: customer } = story;
      const amount = Math.ceil(listPrice('solo', 1, currency, 'first') / 300) * 100;
      const given = { customer, currency, amount, reason: 'late' };
      await asApplication(() => giveGoodwill(deps, given));
      break;
    }
    case 'leave': {
      const client = await logIn(simulation, person);
      await client.subscription.cancelSubscription({ body: { id } });
      const { code } = await client.auth.deleteAccount({
        body: { action: action.action, currentPassword: PASSWORD },
      });
      expect(code).toBe('0000');
      break;
    }
  }
  await shop.sweep();
  // Answers of a gateway that are asked for a minute later.
  shop.clock.advance(2 * MINUTE_MS);
  await shop.sweep();
}

const savedMethod = ({ shop }: Simulation, { subscriptionId }: Person) =>
  shop.db
    .selectFrom('saved_method')
    .innerJoin('subscription', 'subscription.customer_id', 'saved_method.customer_id')
    .innerJoin('gateway_customer', 'gateway_customer.id', 'gateway_customer_id')
    .select(['saved_method.id', 'saved_method.provider_ref', 'gateway_customer.provider_ref as payer'])
    .where('subscription.id', '=', subscriptionId)
    .where('is_default', '=', true)
    .executeTakeFirstOrThrow();

/** The bank changes its mind about the saved card. */
async function cardIs(simulation: Simulation, person: Person, token: string): Promise<void> {
  const { id, payer } = await savedMethod(simulation, person);
  const { id: provider_ref } = await simulation.shop.stripe.paymentMethods.attach(token, {
    customer: payer!,
  });
  await simulation.shop.db.updateTable('saved_method').set({ provider_ref }).where('id', '=', id).execute();
}
