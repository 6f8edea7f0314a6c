import { beginOrder, until } from '@fixpoint/testkit/buyer.ts';
import type { TestClient } from '@fixpoint/testkit/client.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { checkDatabase } from '../../src/modules/books/index.ts';
import { leaveAlone, savedCard, subscriber } from '../subscription/renewing.ts';
import { chainRounds } from './chain-rounds.ts';
import { leftOf, orderElsewhere } from './replacing.ts';
import { buyPlan } from './upgrading.ts';

/** Steps that are right once, repeated: what a customer holds and gets is paid for. */
const DAY_MS = 24 * 60 * 60_000;
const THB = { currency: 'THB' };
let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop({ WITHDRAWAL: 'DE:days,FR:full' });
});
afterEach(async () => {
  await shop.sweep();
  expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);
  await leaveAlone(shop);
});
afterAll(() => shop?.stop());

type Person = Awaited<ReturnType<typeof subscriber>>;

const later = async (days: number) => {
  shop.clock.advance(days * DAY_MS);
  await shop.sweep();
};
const runningOf = async (client: TestClient) => {
  await shop.sweep();
  const { items } = (await client.subscription.mySubscription({ body: {} })).data!;
  return items.filter(({ status }) => status === 'active').map(({ id }) => id);
};
const heldBy = async ({ row }: Person) => {
  const held = await shop.db
    .selectFrom('static_ip')
    .select('subscription_id')
    .where('customer_id', '=', (await row()).customer_id)
    .where('reserved_until', 'is not', null)
    .execute();
  return held.map(({ subscription_id }) => subscription_id);
};
async function buyMore(person: Person, count: number): Promise<TestClient> {
  const client = await person.now();
  const { id: cardId } = await savedCard(client);
  for (let n = 0; n < count; n += 1) {
    const { consent } = await beginOrder(client);
    expect((await client.order.purchaseLogin({ body: { ...consent, cardId } })).code).toBe('0000');
  }
  await until(async () => (await runningOf(client)).length === count + 1, 'all of them run');
  shop.clock.advance(1000);
  return client;
}
const shown = async (client: TestClient, id: string, country: string) =>
  (await client.subscription.withdrawal({ query: { id, country } })).data;

test('SE4 of six full withdrawals at once one is in full', async () => {
  const anna = await subscriber(shop, 'anna');
  const client = await buyMore(anna, 5);
  const ids = await runningOf(client);
  const back = (await shown(client, ids[0]!, 'FR'))!;
  const all = await Promise.all(
    ids.map(id => client.subscription.withdraw({ body: { id, country: 'FR', back } })),
  );
  expect(all.map(({ code }) => code).toSorted()).toEqual(['0000', ...Array(5).fill('7004')]);
  // The others were concluded before, and are refunded by days.
  const [next] = await runningOf(client);
  expect((await shown(client, next!, 'FR'))!.money).toBeLessThan(back.money);
});

test('SE1 SE2 each replacement uses a day, a chain grows by three in a week, and holds no address', async () => {
  const ben = await subscriber(shop, 'ben');
  const client = await ben.now();
  const replaceOnce = async () => {
    const [id] = await runningOf(client);
    const { days } = (await leftOf(client, { subscriptionId: id! })).data!;
    const order = await orderElsewhere(client, { subscriptionId: id! }, { cycleCount: days > 31 ? 1 : 3 });
    expect((await buyPlan(client, order)).code).toBe('0000');
    await until(async () => (await runningOf(client))[0] !== id, 'the next one runs');
    shop.clock.advance(1000);
    return days;
  };
  const used = [await replaceOnce(), await replaceOnce(), await replaceOnce()];
  const length = (months: number) => [28, 29, 30, 31].map(days => days + (months === 1 ? 0 : 61) - 1);
  expect(length(1)).toContain(used[0]);
  expect(used[1]).toBeGreaterThan(85);
  expect(await heldBy(ben)).toEqual([]);
  const [last] = await runningOf(client);
  const refused = await leftOf(client, { subscriptionId: last! });
  expect(refused.code).toBe('9905');
});

test('SE2 an order paid after another day has begun replaces nothing', async () => {
  const cleo = await subscriber(shop, 'cleo');
  await later(0.9);
  const order = await orderElsewhere(await cleo.now(), cleo);
  await later(0.2);
  expect((await buyPlan(await cleo.now(), order)).code).toBe('7004');
  expect((await cleo.row()).status).toBe('active');
});

test('SE1 SE3 whoever buys again after a withdrawal has no second right, and no address is held after hours', async () => {
  const dan = await subscriber(shop, 'dan');
  const client = await dan.now();
  const back = (await shown(client, dan.subscriptionId, 'FR'))!;
  const body = { id: dan.subscriptionId, country: 'FR', back };
  expect((await client.subscription.withdraw({ body })).code).toBe('0000');
  expect(await heldBy(dan)).toEqual([]);
  shop.clock.advance(9000);
  const { consent } = await beginOrder(client);
  const { id: cardId } = await savedCard(client);
  await client.order.purchaseLogin({ body: { ...consent, cardId } });
  const [again] = await until(async () => {
    const ids = await runningOf(client);
    return ids.length > 0 && ids;
  }, 'the second one');
  for (const country of ['FR', 'DE']) {
    const query = { id: again!, country };
    expect((await client.subscription.withdrawal({ query })).code).toBe('7004');
  }
  const offer = await client.subscription.getSubscription({ query: { id: again! } });
  expect(offer.data!.withdrawal).toBeUndefined();
});

test('SE1 of three that ended early at once two addresses are held; one that ran its month is held beside them', async () => {
  const eva = await subscriber(shop, 'eva');
  await (await eva.now()).subscription.cancelSubscription({ body: { id: eva.subscriptionId } });
  await eva.at(-2.5);
  await buyMore(eva, 3);
  await eva.at(0.1);
  expect(await heldBy(eva)).toEqual([eva.subscriptionId]);
  const client = await eva.now();
  const ids = await runningOf(client);
  const ended = await Promise.all(
    ids.map(async id => {
      const back = (await shown(client, id, 'DE'))!;
      return client.subscription.withdraw({ body: { id, country: 'DE', back: { ...THB, ...back } } });
    }),
  );
  expect(ended.map(({ code }) => code)).toEqual(['0000', '0000', '0000']);
  const held = await heldBy(eva);
  expect([held.length, held.includes(eva.subscriptionId)]).toEqual([3, true]);
});

test.each([1])('whatever is called at once, nothing is got for nothing (seed %i)', async seed => {
  expect(await chainRounds(shop, seed, 5)).toEqual([]);
});
