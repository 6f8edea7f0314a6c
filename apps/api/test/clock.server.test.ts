import { beginOrder } from '@fixpoint/testkit/buyer.ts';
import { createDatabase, type TestDatabase } from '@fixpoint/testkit/database.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { clock as command } from '../src/cli/clock.ts';
import { shopCommand } from './shop-command.ts';

const DAY_MS = 24 * 60 * 60_000;

let database: TestDatabase;
let shop: TestShop;
let customer: Awaited<ReturnType<TestShop['customer']>>;
beforeAll(async () => {
  database = await createDatabase();
  shop = await startTestShop({}, undefined, database);
  customer = await shop.customer('clock');
});
afterAll(async () => {
  await shop?.stop();
  await database?.drop();
});

const shopTime = async () => {
  const { stdout } = await shopCommand(shop, 'clock');
  return Date.parse(stdout.trim());
};
const providersTime = async () => (await shop.sandbox.control<{ now: number }>('clock')).now;

test('the operator lets days pass: all deadlines on the way are kept, and nobody is thrown out', async () => {
  const { metadata } = await beginOrder(shop.client);
  const [before, there] = [await shopTime(), await providersTime()];
  const { stdout, stderr } = await shopCommand(shop, 'clock', '+3d');
  expect(stderr).toBe('');
  expect(stdout).toMatch(/in the shop, after [2-9]\d* stops/);
  expect((await shopTime()) - before).toBeGreaterThanOrEqual(3 * DAY_MS);
  expect((await providersTime()) - there).toBe(3 * DAY_MS);
  const { data } = await shop.client.order.purchaseData({ body: { metadata } });
  expect(data?.status).toBe('expired');
  const listed = await customer.client.subscription.mySubscription({ body: {} });
  expect(listed.data?.items).toMatchObject([{ status: 'active', id: customer.subscriptionId }]);
});

test('a file that is made later than now is valid now: devices go by the real time', async () => {
  const subscriptionId = customer.subscriptionId;
  const key = await customer.client.subscription.addKey({ body: { subscriptionId, name: 'phone' } });
  const body = { subscriptionId, keyId: key.data!.id };
  const file = await customer.client.subscription.downloadKey({ body });
  const days = (Date.parse(file.data!.validUntil) - shop.clock.now().getTime()) / DAY_MS;
  expect(Math.round(days)).toBe(397);
});

test('the page of the stand-in providers moves it, and a page of another site does not', async () => {
  const before = await providersTime();
  const press = (origin: string) =>
    fetch(`${shop.sandboxUrl}/clock`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
      body: 'days=1',
      redirect: 'manual',
    });
  expect((await press('https://elsewhere.example')).status).toBe(403);
  expect((await press(shop.sandboxUrl)).status).toBe(303);
  expect((await providersTime()) - before).toBe(DAY_MS);
  expect(await (await fetch(shop.sandboxUrl)).text()).toContain(
    new Date(await providersTime()).toISOString().slice(0, 10),
  );
  const stranger = await fetch(`${shop.url}/_sandbox/clock`, { method: 'POST' });
  expect(stranger.status).toBe(401);
});

test('the page of a stand-in provider shows beside what it believes what the shop does', async () => {
  const [row] = await shop.db
    .selectFrom('attempt')
    .select(['id', 'received'])
    .where('status', '=', 'succeeded')
    .execute();
  const pageText = async () => (await fetch(`${shop.sandboxUrl}/stripe`)).text();
  const said = `<td>${row!.id}</td><td>succeeded, THB ${row!.received} received</td>`;
  expect(await pageText()).toContain(said);
  expect((await fetch(`${shop.url}/_sandbox/beliefs`)).status).toBe(401);
  // What the shop has forgotten, or never knew, is seen there as well.
  await shop.stripe.paymentIntents.create({
    amount: 100_00,
    currency: 'thb',
    metadata: { attempt_id: 'att_nobody' },
  });
  expect(await pageText()).toContain('<td>att_nobody</td><td>nothing</td>');
});

test('it is never moved with real providers, and a shop whose clock was moved never opens with them', async () => {
  vi.stubEnv('SANDBOX_URL', '');
  const context = { db: shop.db, env: {} as never, ask: async () => false, say: () => {} };
  await expect(command.run(context, ['+3d'])).rejects.toThrow(/stand-in providers only/);
  vi.unstubAllEnvs();
  await expect(startTestShop({ SANDBOX_URL: '' }, undefined, database)).rejects.toThrow(/was moved/);
});

test.each(['3d', '+0d', '+3', '+3m', '+99y', '-3d'])('%s is no span of time', async given => {
  await expect(
    command.run({ db: shop.db, env: {} as never, ask: async () => false, say: () => {} }, [given]),
  ).rejects.toThrow(/no span of time/);
});
