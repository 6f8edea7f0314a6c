import { beginOrder, until } from '@fixpoint/testkit/buyer.ts';
import type { TestClient } from '@fixpoint/testkit/client.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { checkDatabase } from '../../src/modules/books/index.ts';
import { orderElsewhere } from '../checkout/replacing.ts';
import { buyPlan, orderPlan } from '../checkout/upgrading.ts';
import { subscriber } from '../subscription/renewing.ts';

/** Days that paid for another subscription, and whose own payment is disputed: nobody gets them twice. */
const PRICE = 199_00;
const THB = { currency: 'THB' };
let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop({ WITHDRAWAL: 'FR:full' });
});
afterEach(async () => {
  await shop.sweep();
  expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);
});
afterAll(() => shop?.stop());

type Old = Awaited<ReturnType<typeof subscriber>>;

const creditOf = async (client: TestClient) => (await client.payment.getCard()).data!.credit[0]?.amount ?? 0;

/** Replaces a subscription for a number of months. @returns the new one and its price */
async function replaced(client: TestClient, id: string, cycleCount: 1 | 3 | 6 = 3) {
  const order = await orderElsewhere(client, { subscriptionId: id }, { cycleCount });
  expect((await buyPlan(client, order)).code).toBe('0000');
  const { subscription } = await until(async () => {
    const { data } = await client.order.purchaseData({ body: { metadata: order.metadata } });
    return data?.subscription?.status === 'active' && data;
  }, 'the new one');
  const { prorated } = order;
  return { id: subscription!.id, prorated, money: order.price.price - prorated };
}

/** Creates a customer who replaced a subscription near the end of its first period, with actions of them and their bank. */
async function mover(name: string, prepare?: (old: Old) => Promise<void>) {
  const old = await subscriber(shop, name);
  await old.at(-10.5);
  await prepare?.(old);
  const client = await old.now();
  const first = await replaced(client, old.subscriptionId);
  return {
    old,
    client,
    first,
    credit: () => creditOf(client),
    withdraw: async (id = first.id) => {
      const { data: back } = await client.subscription.withdrawal({ query: { id, country: 'FR' } });
      const body = { id, country: 'FR', back: back! };
      expect((await client.subscription.withdraw({ body })).data).toEqual(back);
      await shop.sweep();
      return back!;
    },
  };
}

/** Opens a dispute about the payment of a subscription's first order. */
async function open(subscriptionId: string, amount?: number): Promise<string> {
  const { provider_ref } = await shop.db
    .selectFrom('attempt')
    .innerJoin('invoice', 'invoice.id', 'attempt.invoice_id')
    .select('provider_ref')
    .where('invoice.subscription_id', '=', subscriptionId)
    .where('invoice.purpose', '=', 'purchase')
    .where('attempt.status', '=', 'succeeded')
    .executeTakeFirstOrThrow();
  const about = { payment_intent: provider_ref, ...(amount && { amount }) };
  const { id } = await shop.sandbox.control('disputes/open', about);
  await untilStatus(id, 'open');
  return id;
}

async function decide(dispute: string, outcome: 'won' | 'lost'): Promise<void> {
  await shop.sandbox.control('disputes/close', { dispute, outcome });
  await untilStatus(dispute, outcome);
}

const untilStatus = (dispute: string, status: string) =>
  until(async () => {
    const known = shop.db.selectFrom('dispute').select('status').where('provider_ref', '=', dispute);
    return (await known.executeTakeFirst())?.status === status;
  }, `a dispute that is ${status}`);

/** Orders of events, and whether the days are credit after the withdrawal and in the end. */
const lives: [string[], 'none' | 'days', 'none' | 'days'][] = [
  [['open', 'lost', 'withdraw'], 'none', 'none'],
  [['open', 'withdraw', 'lost'], 'days', 'none'],
  [['withdraw', 'open', 'lost'], 'days', 'none'],
  [['open', 'withdraw', 'won'], 'days', 'days'],
  [['open', 'won', 'withdraw'], 'days', 'days'],
];
test.each(lives)(
  'M17 %j: days that moved are refunded as credit or by the bank',
  async (steps, then, end) => {
    const { old, client, first, credit, withdraw } = await mover(
      `moves-${lives.findIndex(([s]) => s === steps)}`,
    );
    const amountOf = { none: 0, days: first.prorated };
    let dispute = '';
    for (const step of steps) {
      if (step === 'open') dispute = await open(old.subscriptionId);
      else if (step === 'withdraw')
        // The payment of the new subscription is refunded in any case.
        expect(await withdraw()).toEqual({ ...THB, money: first.money, credit: amountOf[then] });
      else await decide(dispute, step as 'won' | 'lost');
    }
    expect(first.prorated).toBeGreaterThan(0);
    expect(await credit()).toBe(amountOf[end]);
    // A repeated call has the same answer.
    const again = await client.subscription.withdrawal({ query: { id: first.id, country: 'FR' } });
    expect(again.data).toEqual({ ...THB, money: first.money, credit: amountOf[then] });
  },
);

test('M17 a dispute about a part first uses the rest of its invoice, and reduces the days only by the remainder', async () => {
  const { old, first, credit, withdraw } = await mover('in-part');
  const remaining = PRICE - first.prorated;
  await decide(await open(old.subscriptionId, remaining + 30_00), 'lost');
  expect(await withdraw()).toEqual({ ...THB, money: first.money, credit: first.prorated - 30_00 });
  expect(await credit()).toBe(first.prorated - 30_00);
});

test('M17 a lost dispute about one of several payments removes the days of that payment alone', async () => {
  const { old, first, withdraw } = await mover('upgraded', async one => {
    const client = await one.now();
    await buyPlan(client, await orderPlan(client, one, 'plus'));
    await until(async () => (await one.row()).devices === 5, 'the bigger plan');
  });
  const notes = await shop.db
    .selectFrom('credit_note')
    .innerJoin('invoice', 'invoice.id', 'credit_note.invoice_id')
    .select(['invoice.purpose', 'credit_note.total'])
    .where('invoice.subscription_id', '=', old.subscriptionId)
    .where('pays_invoice_id', 'is not', null)
    .execute();
  const ofUpgrade = notes.find(({ purpose }) => purpose === 'upgrade')!.total;
  expect(notes).toHaveLength(2);
  await decide(await open(old.subscriptionId), 'lost');
  expect(ofUpgrade).toBeLessThan(first.prorated);
  expect(await withdraw()).toEqual({ ...THB, money: first.money, credit: ofUpgrade });
});

test('M17 days that moved several times are removed where they are', async () => {
  const { old, client, first, credit, withdraw } = await mover('on-and-on');
  const next = await replaced(client, first.id, 6);
  // The day that had begun is used.
  const used = first.money + first.prorated - next.prorated;
  expect(used).toBeGreaterThan(0);
  await decide(await open(old.subscriptionId), 'lost');
  const { data } = await client.subscription.withdrawal({ query: { id: next.id, country: 'FR' } });
  expect(data).toMatchObject({ ...THB, money: next.money });
  // What the bank took is missing, less a part of the day that was used.
  expect(data!.credit).toBeGreaterThanOrEqual(first.money - used);
  expect(data!.credit).toBeLessThanOrEqual(first.money);
  // Includes the payment in the middle.
  await decide(await open(first.id), 'lost');
  expect(await withdraw(next.id)).toEqual({ ...THB, money: next.money, credit: 0 });
  expect(await credit()).toBe(0);
});

test('M17 days that became credit at a cheaper place are removed from it, as far as it is unspent', async () => {
  const { old, client, first, credit } = await mover('cheaper');
  const next = await replaced(client, first.id, 1);
  const surplus = await credit();
  const used = first.money + first.prorated - PRICE - surplus;
  expect([next.money, used > 0]).toEqual([0, true]);
  expect(surplus).toBeGreaterThan(first.prorated);
  await decide(await open(old.subscriptionId), 'lost');
  const { data } = await client.subscription.withdrawal({ query: { id: next.id, country: 'FR' } });
  const left = (await credit()) + data!.credit;
  expect(left).toBeGreaterThanOrEqual(first.money - used);
  expect(left).toBeLessThanOrEqual(first.money);
});

test('M17 spent credit is written off, and nobody is in debt', async () => {
  const { old, client, first, credit, withdraw } = await mover('has-used-it');
  await withdraw();
  const { consent } = await beginOrder(client);
  const cardId = (await client.payment.getCard()).data!.cards[0]!.id;
  const body = { ...consent, credit: first.prorated, cardId };
  expect((await client.order.purchaseLogin({ body })).code).toBe('0000');
  expect(await credit()).toBe(0);
  await decide(await open(old.subscriptionId), 'lost');
  expect(await credit()).toBe(0);
});
