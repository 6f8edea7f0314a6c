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
import type { Deed, Method, Story } from './customers.ts';

const MINUTE_MS = 60_000;

export type World = { shop: TestShop; jobs: JobRunner; downgrades: Downgrade[] };
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
async function payAtGateway({ shop }: World, data: OrderState | undefined, share = 1): Promise<boolean> {
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
export async function join(world: World, story: Story): Promise<Person> {
  const { shop } = world;
  const { email, plan: planId, months: cycleCount, currency, method: paymentMethod } = story;
  const visitor = createClient(shop.url);
  const { consent, metadata } = await beginOrder(visitor, { planId, cycleCount, currency });
  const bought = await visitor.order.purchase({ body: { ...consent, paymentMethod, email, language: 'en' } });
  await payAtGateway(world, bought.data);
  await visitor.order.confirmPurchase({ body: { metadata } });
  const subscriptionId = await delivered(world, metadata);
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

const delivered = async ({ shop }: World, metadata: string): Promise<string> => {
  await shop.sweep();
  return until(async () => {
    const { data } = await shop.client.order.purchaseData({ body: { metadata } });
    return data?.subscription?.status === 'active' && data.subscription.id;
  }, 'what was bought');
};

/** Logs in, because days have passed. */
async function logIn({ shop }: World, { story: { email } }: Person): Promise<TestClient> {
  const { code, token } = await shop.client.auth.login({ body: { email, password: PASSWORD } });
  expect(code).toBe('0000');
  return createClient(shop.url, token);
}

/** Pays an open invoice in the customer's own way. @returns whether it is paid */
export async function payInvoice(
  world: World,
  person: Person,
  invoiceId: string,
  share: number,
): Promise<boolean> {
  const client = await logIn(world, person);
  const { method: paymentMethod } = person.story;
  const pressed = await client.payment.payment({ body: { invoiceId, paymentMethod } });
  expect(pressed.code, JSON.stringify(pressed.data)).toBe('0000');
  await payAtGateway(world, pressed.data as OrderState, share);
  await world.shop.sweep();
  return (await client.payment.askInvoice({ body: { invoiceId } })).data?.status === 'paid';
}

type Consent = Awaited<ReturnType<typeof orderPlan>>;
/** Pays an order of a present customer, with what they have saved or as they paid before. */
async function payOrder(
  world: World,
  client: TestClient,
  { story: { method: paymentMethod } }: Person,
  consent: Consent,
  call: 'purchaseLogin' | 'purchaseReactivate' = 'purchaseLogin',
): Promise<void> {
  const { accounts } = (await client.payment.getCard()).data!;
  const saved = paymentMethod === 'paypal' && accounts[0] ? { accountId: accounts[0].id } : {};
  const pressed = await client.order[call]({ body: { ...consent, paymentMethod, ...saved } });
  expect(pressed.code, JSON.stringify(pressed.data)).toBe('0000');
  await payAtGateway(world, pressed.data as OrderState);
  await client.order.confirmPurchase({ body: { metadata: consent.metadata } });
}

/** The newest paid invoice of a subscription with money in it. */
async function lastPaid({ shop }: World, { subscriptionId }: Person) {
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

/** Does a deed, and expects that it is possible. */
export async function act(world: World, person: Person, deed: Deed): Promise<void> {
  const { shop } = world;
  const { subscriptionId: id, story } = person;
  const { control } = shop.sandbox;
  switch (deed.does) {
    case 'upgrade': {
      const client = await logIn(world, person);
      await payOrder(world, client, person, await orderPlan(client, person, deed.plan));
      break;
    }
    case 'downgrade': {
      const client = await logIn(world, person);
      const { code } = await client.subscription.planDowngrade({ body: { id, planId: deed.plan } });
      expect(code).toBe('0000');
      world.downgrades.push({ subscriptionId: id, plan: deed.plan, at: shop.clock.now() });
      break;
    }
    case 'cancel':
    case 'resume': {
      const client = await logIn(world, person);
      const { code } = await client.subscription.cancelSubscription({
        body: { id, undo: deed.does === 'resume' },
      });
      expect(code).toBe('0000');
      break;
    }
    case 'reactivate': {
      const client = await logIn(world, person);
      const consent = await orderAgain(client, id);
      await payOrder(world, client, person, consent, 'purchaseReactivate');
      await delivered(world, consent.metadata);
      break;
    }
    case 'replace': {
      const client = await logIn(world, person);
      const consent = await orderElsewhere(client, person, { cycleCount: deed.months });
      await payOrder(world, client, person, consent);
      person.subscriptionId = await delivered(world, consent.metadata);
      break;
    }
    case 'cardFails':
      return cardIs(world, person, 'pm_card_chargeCustomerFail');
    case 'cardWorks':
      return cardIs(world, person, 'pm_card_visa');
    case 'revoke': {
      const { provider_ref: token } = await savedMethod(world, person);
      await control('paypal/vault/revoke', { token });
      person.asked = shop.clock.now();
      break;
    }
    case 'dispute': {
      const { provider_ref, charge_ref } = await lastPaid(world, person);
      const opened =
        story.method === 'paypal'
          ? await control('paypal/disputes/open', { capture: charge_ref })
          : await control('disputes/open', { payment_intent: provider_ref });
      person.dispute = opened.id;
      break;
    }
    case 'decide': {
      const path = story.method === 'paypal' ? 'paypal/disputes/close' : 'disputes/close';
      await control(path, { dispute: person.dispute, outcome: deed.outcome });
      break;
    }
    case 'refund': {
      const { number } = await lastPaid(world, person);
      const wish = { reason: 'Asked for', asCredit: deed.asCredit ?? false };
      const all = await planRefund(shop, number!, wish);
      const exact = { ...wish, amount: Math.round((all.left * deed.share) / 100) * 100 };
      const plan = await planRefund(shop, number!, exact);
      const deps = { db: shop.db, clock: shop.clock, jobs: world.jobs };
      await asApplication(() => refundInvoice(deps, number!, exact, plan.code));
      break;
    }
    case 'withdraw': {
      const client = await logIn(world, person);
      const { data: back } = await client.subscription.withdrawal({ query: { id, country: deed.country } });
      const { code } = await client.subscription.withdraw({
        body: { id, country: deed.country, back: back! },
      });
      expect(code).toBe('0000');
      break;
    }
    case 'goodwill': {
      const deps = { db: shop.db, clock: shop.clock, jobs: world.jobs };
      const { currency, email: customer } = story;
      const amount = Math.ceil(listPrice('solo', 1, currency, 'first') / 300) * 100;
      const given = { customer, currency, amount, reason: 'late' };
      await asApplication(() => giveGoodwill(deps, given));
      break;
    }
    case 'leave': {
      const client = await logIn(world, person);
      await client.subscription.cancelSubscription({ body: { id } });
      const { code } = await client.auth.deleteAccount({
        body: { action: deed.action, currentPassword: PASSWORD },
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

const savedMethod = ({ shop }: World, { subscriptionId }: Person) =>
  shop.db
    .selectFrom('saved_method')
    .innerJoin('subscription', 'subscription.customer_id', 'saved_method.customer_id')
    .innerJoin('gateway_customer', 'gateway_customer.id', 'gateway_customer_id')
    .select(['saved_method.id', 'saved_method.provider_ref', 'gateway_customer.provider_ref as payer'])
    .where('subscription.id', '=', subscriptionId)
    .where('is_default', '=', true)
    .executeTakeFirstOrThrow();

/** The bank changes its mind about the saved card. */
async function cardIs(world: World, person: Person, token: string): Promise<void> {
  const { id, payer } = await savedMethod(world, person);
  const { id: provider_ref } = await world.shop.stripe.paymentMethods.attach(token, { customer: payer! });
  await world.shop.db.updateTable('saved_method').set({ provider_ref }).where('id', '=', id).execute();
}
