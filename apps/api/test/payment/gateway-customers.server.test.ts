import {
  beginOrder,
  buyAsVisitor,
  cardPaymentOf,
  confirmCard,
  emailTo,
  PASSWORD,
  until,
} from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { signUp } from '../helpers/people.ts';
import { followed } from '../subscription/renewing.ts';

/** One gateway customer per account, whatever it buys. */
let shop: TestShop;
let customer: Awaited<ReturnType<TestShop['customer']>>;
beforeAll(async () => {
  shop = await startTestShop();
  customer = await shop.customer('regular');
});
afterEach(() => shop.sandbox.calm());
afterAll(() => shop?.stop());

const fulfilled = (metadata: string) =>
  until(async () => {
    const { data } = await shop.client.order.confirmPurchase({ body: { metadata } });
    return data?.status === 'fulfilled';
  }, 'the order');
async function kept() {
  const { id } = await shop.db
    .selectFrom('customer')
    .select('id')
    .where('email', '=', customer.email)
    .executeTakeFirstOrThrow();
  const payers = await shop.db
    .selectFrom('gateway_customer')
    .select('id')
    .where('customer_id', '=', id)
    .execute();
  const { cards } = (await customer.client.payment.getCard()).data!;
  const { total } = (await customer.client.billing.myBilling()).data!;
  return { payers: payers.length, cards: cards.map(({ last4 }) => last4), invoices: total };
}

/** Cards that are still attached to gateway customers without an account. */
async function guestsCards() {
  const guests = await shop.db
    .selectFrom('gateway_customer')
    .select('provider_ref')
    .where('customer_id', 'is', null)
    .where('provider_ref', 'is not', null)
    .execute();
  const lists = guests.map(({ provider_ref }) =>
    shop.stripe.paymentMethods.list({ customer: provider_ref! }),
  );
  return (await Promise.all(lists)).flatMap(({ data }) => data.map(({ id }) => id));
}
const nobodysCards = () => until(async () => (await guestsCards()).length === 0, 'no card of a guest');

// Regression: one gateway customer per order, and the same card saved three times.
test('FM11 three purchases of one customer create one gateway customer and one saved card', async () => {
  for (let purchase = 2; purchase <= 3; purchase += 1) {
    const { consent, metadata } = await beginOrder(customer.client);
    const bought = await customer.client.order.purchaseLogin({ body: consent });
    await confirmCard(shop, cardPaymentOf(bought.data));
    await fulfilled(metadata);
  }
  await shop.sweep();
  expect(await kept()).toEqual({ payers: 1, cards: ['4242'], invoices: 3 });
  const { payments } = await shop.sandbox.ledger();
  expect(new Set(payments.map(payment => payment.customer)).size).toBe(1);
});

test('FS1 O8 O9 a purchase with somebody else’s address leaves their card, their default and their right to cancel', async () => {
  const victim = await shop.customer('victim');
  const cards = async () => (await victim.client.payment.getCard()).data!.cards;
  await shop.sweep();
  const before = await cards();
  expect(before).toMatchObject([{ last4: '4242' }]);
  const { email: lonely, client } = await signUp(shop, 'lonely@example.com');
  // A call without an answer is retried.
  await shop.sandbox.fault({ path: 'POST /v1/payment_methods/*/detach' }, '500', 2);
  for (const email of [victim.email, lonely]) {
    const { consent, metadata } = await beginOrder(shop.client);
    const body = { ...consent, email, language: 'en' as const };
    const bought = await shop.client.order.purchase({ body });
    await confirmCard(shop, cardPaymentOf(bought.data), 'pm_card_mastercard');
    await fulfilled(metadata);
    await shop.sweep();
    // The owner of the address gets an email.
    expect((await emailTo(shop, email, /receipt/i)).Subject).toBeTruthy();
  }
  expect(await cards()).toEqual(before);
  expect((await client.payment.getCard()).data!.cards).toEqual([]);
  await nobodysCards();
  const end = { action: 'delete' as const, currentPassword: PASSWORD };
  expect((await client.auth.deleteAccount({ body: end })).code).toBe('0000');
});

test('FS12 a guest who then logs in pays once as themselves, and nobody else gets their order', async () => {
  const { consent, metadata } = await beginOrder(shop.client);
  const guest = { email: 'guest@example.com', language: 'en' as const };
  const first = cardPaymentOf((await shop.client.order.purchase({ body: { ...consent, ...guest } })).data);
  const bought = await customer.client.order.purchaseLogin({ body: consent });
  const second = cardPaymentOf(bought.data);
  expect((await confirmCard(shop, first)).status).toBe(400);
  const other = await signUp(shop, 'other@example.com');
  expect((await other.client.order.purchaseLogin({ body: consent })).code).toBe('7004');
  expect((await shop.client.order.purchase({ body: { ...consent, ...guest } })).code).toBe('7004');
  await confirmCard(shop, second);
  await fulfilled(metadata);
  expect(await kept()).toEqual({ payers: 1, cards: ['4242'], invoices: 4 });
});

test('a guest who pays and logs in before the payment is known gets what they paid for', async () => {
  const { consent, metadata } = await beginOrder(shop.client);
  const guest = { email: 'hasty@example.com', language: 'en' as const };
  const { data } = await shop.client.order.purchase({ body: { ...consent, ...guest } });
  await shop.sandbox.fault({ event: '*' }, 'drop', 100);
  await confirmCard(shop, cardPaymentOf(data), 'pm_card_mastercard');
  const bought = await customer.client.order.purchaseLogin({ body: consent });
  expect(bought.data!.payment).toBeUndefined();
  await fulfilled(metadata);
  await shop.sweep();
  // No method of another gateway customer is saved for renewals.
  expect(await kept()).toEqual({ payers: 1, cards: ['4242'], invoices: 5 });
  await nobodysCards();
});

test('S83 a card whose late payment is refunded is saved for nobody', async () => {
  const { consent } = await beginOrder(shop.client);
  const guest = { email: 'late@example.com', language: 'en' as const };
  const { data } = await shop.client.order.purchase({ body: { ...consent, ...guest } });
  // The order is cancelled during payment, so that the money is refunded.
  await shop.db
    .updateTable('invoice')
    .set({ status: 'void', issued_at: null })
    .where('status', '=', 'draft')
    .execute();
  await confirmCard(shop, cardPaymentOf(data), 'pm_card_mastercard');
  await until(async () => (await shop.sandbox.ledger()).refunds.length === 1, 'their money back');
  await nobodysCards();
});

// Regression: invoices held a product's id alone.
test('FM11 renaming a plan leaves invoices and receipts unchanged', async () => {
  const { id } = (await customer.client.billing.myBilling()).data!.items.at(-1)!;
  const invoiceLines = async () => (await customer.client.billing.getBilling({ params: { id } })).data!.lines;
  const before = await invoiceLines();
  const plan = before[0]!.text.plan;
  expect(plan).toBeTruthy();
  await shop.db
    .insertInto('text_override')
    .values({ language: 'en', key: 'plans.name.solo', text: 'Renamed' })
    .execute();
  await shop.db.updateTable('region').set({ name: 'Moved' }).where('id', '=', 'th-bkk').execute();
  expect(await invoiceLines()).toEqual(before);
  const { email } = customer;
  expect((await emailTo(shop, email, /Receipt number/)).Text).toContain(plan);
  // Text overrides are read once a second.
  await new Promise(next => setTimeout(next, 1_100));
  const { consent, metadata } = await beginOrder(customer.client);
  const bought = await customer.client.order.purchaseLogin({ body: consent });
  await confirmCard(shop, cardPaymentOf(bought.data));
  await fulfilled(metadata);
  const [newest] = (await customer.client.billing.myBilling()).data!.items;
  const now = await customer.client.billing.getBilling({ params: { id: newest!.id } });
  expect(now.data!.lines[0]!.text.plan).toBe('Renamed');
});

test('O9 X27 a customer who ends their account is not asked to pay for a gift any more, and nobody can', async () => {
  const { email, client } = await signUp(shop, 'given@example.com');
  const { metadata } = await buyAsVisitor(shop, email);
  await fulfilled(metadata);
  const { id: subscriptionId } = await until(async () => {
    const { items } = (await client.subscription.mySubscription({ body: {} })).data!;
    return items.find(({ status }) => status === 'active');
  }, 'what was given');
  const given = await followed(shop, { email, subscriptionId });
  await given.at(-1);
  const now = await given.now();
  const { openInvoice } = (await now.subscription.getSubscription({ query: { id: subscriptionId } })).data!;
  const body = { invoiceId: openInvoice!.id, paymentMethod: 'card' as const };
  const intent = cardPaymentOf((await now.payment.payment({ body })).data);
  const end = { action: 'delete' as const, currentPassword: PASSWORD };
  expect((await now.auth.deleteAccount({ body: end })).code).toBe('0000');
  await shop.sweep();
  expect((await given.invoices()).map(({ purpose, status }) => [purpose, status])).toEqual([
    ['purchase', 'paid'],
    ['renewal', 'void'],
  ]);
  expect((await confirmCard(shop, intent)).status).toBe(400);
});
