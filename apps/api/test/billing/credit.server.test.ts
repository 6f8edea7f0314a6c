import { beginOrder, PASSWORD, paypalOrderOf, until } from '@fixpoint/testkit/buyer.ts';
import type { TestClient } from '@fixpoint/testkit/client.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { checkDatabase } from '../../src/modules/books/index.ts';
import { buyPlan, orderPlan } from '../checkout/upgrading.ts';
import { leaveAlone, subscriber } from '../subscription/renewing.ts';

/** Credit of a customer, which pays their next order first. */
const PRICE = 199_00;
const DAY_MS = 24 * 60 * 60_000;
let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterEach(async () => {
  expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);
  await leaveAlone(shop);
});
afterAll(() => shop?.stop());

/** Creates a customer with a card and goodwill credit. */
async function customerWithCredit(name: string, amount: number) {
  const { client, email } = await shop.customer(name);
  const { id } = await shop.db
    .selectFrom('customer')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  const given = { currency: 'THB', created_at: shop.clock.now() };
  await shop.db
    .insertInto('goodwill')
    .values({ id, customer_id: id, amount, reason: 'late', ...given })
    .execute();
  const entry = { txn: `goodwill:${id}`, ...given };
  await shop.db
    .insertInto('ledger_entry')
    .values([
      { ...entry, position: 0, account: 'goodwill', amount },
      { ...entry, position: 1, account: 'credit', amount: -amount, customer_id: id },
    ])
    .execute();
  const card = await until(async () => (await client.payment.getCard()).data!.cards[0], 'the card that paid');
  return { client, customerId: id, cardId: card.id };
}
const creditOf = async (client: TestClient) =>
  (await client.payment.getCard()).data!.credit.map(({ currency, amount }) => ({ currency, amount }));

// Regression: 18 of 30 answered 500.
test('M11 thirty orders at once use the credit once each; the others are told that the price has changed', async () => {
  const { client } = await customerWithCredit('hurried', 2 * PRICE);
  const orders = await Promise.all(Array.from({ length: 30 }, () => beginOrder(client)));
  const answers = await Promise.all(
    orders.map(({ consent }) => client.order.purchaseLogin({ body: { ...consent, credit: PRICE } })),
  );
  const changed = { code: '7004', data: { fields: { price: 'form.price.changed' } } };
  const paid = answers.filter(({ data }) => ['paid', 'fulfilled'].includes(String(data?.status)));
  expect(paid).toHaveLength(2);
  for (const answer of answers.filter(each => !paid.includes(each))) expect(answer).toMatchObject(changed);
  expect(await creditOf(client)).toEqual([]);
});

test('M11 an order uses credit first, and money pays the rest', async () => {
  const { client, cardId } = await customerWithCredit('saver', 50_00);
  expect(await creditOf(client)).toEqual([{ currency: 'THB', amount: 50_00 }]);
  const { consent, metadata } = await beginOrder(client);
  const body = { ...consent, credit: 50_00 };
  const waiting = (await client.order.purchaseLogin({ body })).data!;
  expect(waiting).toMatchObject({ status: 'awaitingPayment', credit: 50_00 });
  expect(await creditOf(client)).toEqual([]);
  const { data } = await client.order.purchaseLogin({ body: { ...body, cardId } });
  expect(data).toMatchObject({ status: expect.stringMatching(/^(paid|fulfilled)$/), credit: 50_00 });
  expect((await client.order.purchaseData({ body: { metadata } })).data!.credit).toBe(50_00);
  const paid = await shop.db
    .selectFrom('attempt')
    .innerJoin('invoice', 'invoice.id', 'attempt.invoice_id')
    .select(['attempt.amount', 'attempt.status'])
    .where('credit_used', '=', 50_00)
    .execute();
  expect(paid).toEqual([{ amount: PRICE - 50_00, status: 'succeeded' }]);
});

test('enough credit pays an order by itself, and the rest stays', async () => {
  const { client } = await customerWithCredit('rich', 300_00);
  const { consent, metadata } = await beginOrder(client);
  const { data } = await client.order.purchaseLogin({ body: { ...consent, credit: PRICE } });
  expect(data).toMatchObject({ status: expect.stringMatching(/^(paid|fulfilled)$/), credit: PRICE });
  expect(data).not.toHaveProperty('payment');
  await until(
    async () => (await client.order.purchaseData({ body: { metadata } })).data!.status === 'fulfilled',
    'the delivery',
  );
  expect(await creditOf(client)).toEqual([{ currency: 'THB', amount: 300_00 - PRICE }]);
  const { items } = (await client.billing.myBilling()).data!;
  expect(items.map(({ paymentMethod }) => paymentMethod)).toEqual(['credit', 'card']);
  const again = await client.order.purchaseLogin({ body: { ...consent, credit: PRICE } });
  expect(again.data!.status).toBe('fulfilled');
});

// Regression: the provider refused so small an amount, the payment blocked all others, and the prepaid time ended.
describe('M11 the amount that credit leaves to pay', () => {
  test("of an order is never below a card's minimum", async () => {
    const { client, cardId } = await customerWithCredit('nearly', PRICE - 4_00);
    const { consent } = await beginOrder(client);
    const { data } = await client.order.purchaseLogin({ body: { ...consent, cardId } });
    expect(data).toMatchObject({
      status: expect.stringMatching(/^(paid|fulfilled)$/),
      credit: PRICE - 10_00,
    });
    expect(await creditOf(client)).toEqual([{ currency: 'THB', amount: 6_00 }]);
  });

  test('of a renewal is charged', async () => {
    const nina = await subscriber(shop, 'nina');
    await nina.credit(PRICE - 4_00);
    await nina.at(-0.9);
    expect((await nina.invoices()).at(-1)).toMatchObject({ status: 'paid', credit_used: PRICE - 10_00 });
    expect((await nina.taken()).toSorted((a, b) => a - b)).toEqual([10_00, PRICE]);
  });
});

test("an amount below a card's minimum can be paid another way, and blocks nothing", async () => {
  const tom = await subscriber(shop, 'tom');
  const costs = (minor: number) =>
    shop.db
      .updateTable('plan_price')
      .set({ price: minor })
      .where('plan_id', '=', 'plus')
      .where('cycle_count', '=', 1)
      .where('currency', '=', 'THB')
      .execute();
  await costs(PRICE + 5_00);
  const client = await tom.now();
  const order = await orderPlan(client, tom, 'plus');
  expect(order.price.price).toBe(5_00);
  expect(await buyPlan(client, order)).toMatchObject({
    code: '7004',
    data: { fields: { paymentMethod: 'form.paymentMethod.unavailable' } },
  });
  const { data } = await client.order.purchaseLogin({ body: { ...order, paymentMethod: 'paypal' } });
  await shop.sandbox.control('paypal/approve', { order: paypalOrderOf(data), funding: 'balance' });
  await until(async () => (await tom.row()).devices === 5, 'the bigger plan');
  await costs(329_00);
  // The fee becomes known a moment later.
  shop.clock.advance(2 * 60_000);
  await shop.sweep();
});

test('a page with an outdated amount is told so, and no credit is reserved', async () => {
  const { client, cardId } = await customerWithCredit('looker', 50_00);
  const { consent } = await beginOrder(client);
  const answer = await client.order.purchaseLogin({ body: { ...consent, cardId, credit: 0 } });
  expect(answer).toMatchObject({ code: '7004', data: { fields: { price: 'form.price.changed' } } });
  expect(await creditOf(client)).toEqual([{ currency: 'THB', amount: 50_00 }]);
});

test('an expired order releases its credit', async () => {
  const { client, customerId } = await customerWithCredit('leaver', 50_00);
  const { consent } = await beginOrder(client);
  await client.order.purchaseLogin({ body: consent });
  expect(await creditOf(client)).toEqual([]);
  shop.clock.advance(2 * DAY_MS);
  await until(async () => {
    await shop.sweep();
    const { amount } = await shop.db
      .selectFrom('account_credit')
      .select('amount')
      .where('customer_id', '=', customerId)
      .executeTakeFirstOrThrow();
    return amount === 50_00;
  }, 'its credit');
});

describe('B17 an order that expires while its coins are on their way', () => {
  async function paidInTime(name: string, offerEnds = false) {
    const { client, customerId } = await customerWithCredit(name, 50_00);
    const { consent, metadata } = await beginOrder(client);
    await client.order.purchaseLogin({ body: { ...consent, paymentMethod: 'bitcoin' } });
    const paying = async () =>
      shop.db
        .selectFrom('attempt')
        .selectAll()
        .where('customer_id', '=', customerId)
        .where('method', '=', 'bitcoin')
        .executeTakeFirstOrThrow();
    const { id, provider_ref: invoice } = await paying();
    if (offerEnds) {
      shop.clock.advance(20 * 60_000);
      await shop.sweep();
      expect((await paying()).status).toBe('closed');
    }
    await shop.sandbox.control('btcpay/pay', { invoice });
    await until(async () => (await paying()).seen > 0, 'the coins');
    const stands = async () => {
      const { data } = await shop.client.order.purchaseData({ body: { metadata } });
      const credit = await shop.db
        .selectFrom('account_credit')
        .select('amount')
        .where('customer_id', '=', customerId)
        .executeTakeFirst();
      return [data!.status, credit?.amount ?? 0];
    };
    const later = async (ms: number) => {
      shop.clock.advance(ms);
      await shop.sweep();
    };
    await later(DAY_MS + 60_000);
    await later(60_000);
    expect(await stands()).toEqual(['awaitingPayment', 0]);
    return { id, invoice, stands, later };
  }

  test('keeps its reserved credit, and is delivered when they arrive', async () => {
    const { invoice, stands } = await paidInTime('slow');
    await shop.sandbox.control('btcpay/confirm', { invoice });
    await until(async () => (await stands())[0] === 'fulfilled', 'what was paid for');
    expect(await stands()).toEqual(['fulfilled', 0]);
  });

  test('is delivered too when the coins went to an address that is no longer offered', async () => {
    const { invoice, stands } = await paidInTime('slower', true);
    await shop.sandbox.control('btcpay/confirm', { invoice });
    await until(async () => (await stands())[0] === 'fulfilled', 'what was paid for');
    expect(await stands()).toEqual(['fulfilled', 0]);
  });

  test('expires when nothing is heard of them for two weeks', async () => {
    const { id, stands, later } = await paidInTime('silent');
    const updated_at = new Date(shop.clock.now().getTime() - 14 * DAY_MS);
    await shop.db.updateTable('attempt').set({ updated_at }).where('id', '=', id).execute();
    await later(61 * 60_000);
    expect(await stands()).toEqual(['expired', 50_00]);
  });
});

test('FM23 a customer who ends the account has the unpaid order voided, and its reserved goodwill is booked back', async () => {
  const { client, customerId } = await customerWithCredit('quitter', 50_00);
  const { consent } = await beginOrder(client);
  await client.order.purchaseLogin({ body: consent });
  expect(await creditOf(client)).toEqual([]);
  await shop.db
    .updateTable('subscription')
    .set({ cancel_at_period_end: true })
    .where('customer_id', '=', customerId)
    .execute();
  const left = await client.auth.deleteAccount({ body: { action: 'disable', currentPassword: PASSWORD } });
  expect(left.code).toBe('0000');
  const invoices = await shop.db
    .selectFrom('invoice')
    .select(['status', 'credit_used'])
    .where('customer_id', '=', customerId)
    .orderBy('status')
    .execute();
  expect(invoices).toEqual([
    { status: 'paid', credit_used: 0 },
    { status: 'void', credit_used: 0 },
  ]);
  const { amount } = await shop.db
    .selectFrom('account_credit')
    .select('amount')
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow();
  expect(amount).toBe(0);
  const ended = await shop.db
    .selectFrom('ledger_entry')
    .select(['account', 'amount'])
    .where('txn', '=', `goodwill-ended:${customerId}:THB`)
    .orderBy('position')
    .execute();
  expect(ended).toEqual([
    { account: 'goodwill', amount: -50_00 },
    { account: 'credit', amount: 50_00 },
  ]);
});
