import { beginOrder, cardPaymentOf, confirmCard, until } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

const DAY_MS = 24 * 60 * 60_000;
/** A call to a silent provider times out after twice ten seconds, so this many take minutes. */
const UNPAID = 10;
let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop({ LOG_LEVEL: 'silent' }, undefined, undefined, ['jobs']);
});
afterEach(() => shop.sandbox.calm());
afterAll(() => shop?.stop());

const order = async (name: string) => {
  const { consent, metadata } = await beginOrder(shop.client);
  const body = { ...consent, email: `${name}@example.com`, language: 'en' as const };
  const answer = () => shop.client.order.purchase({ body });
  return { metadata, answer, press: async () => (await answer()).data };
};
const state = async (metadata: string) =>
  (await shop.client.order.purchaseData({ body: { metadata } })).data!;
const hosts = (status: 'active' | 'retired') => shop.db.updateTable('host').set({ status }).execute();
const failing = () =>
  shop.db.selectFrom('open_alert').select('subject').where('kind', '=', 'task.failing').execute();

// Regression: one function did all housekeeping of all nodes, and stopped while a provider was silent.
test('FM6 a hanging provider delays only what depends on it', async () => {
  const waiting = await order('waiting');
  await hosts('retired');
  await confirmCard(shop, cardPaymentOf(await waiting.press()));
  await until(async () => (await state(waiting.metadata)).status === 'fulfilled', 'the order');
  await hosts('active');
  const unpaid = await Promise.all(Array.from({ length: UNPAID }, (_, n) => order(`unpaid-${n}`)));
  for (const { press } of unpaid) await press();
  const draft = await order('draft');
  await shop.sandbox.fault({ path: 'POST /v1/payment_intents/*/cancel' }, 'hang', 100);

  shop.clock.advance(DAY_MS + 60_000);
  const swept = shop.sweep().catch(() => undefined);
  await until(async () => (await state(draft.metadata)).status === 'expired', 'the draft has run out');
  await until(
    async () => (await state(waiting.metadata)).subscription!.status === 'active',
    'the subscription has its host',
  );
  const { struck } = await shop.sandbox.control<{ struck: Record<string, number> }>('faults');
  expect(struck.hang).toBeGreaterThan(0);
  expect((await state(unpaid[0]!.metadata)).status).toBe('awaitingPayment');
  await shop.sandbox.calm();
  await swept;
  for (const { metadata } of unpaid) {
    await until(async () => (await state(metadata)).status === 'expired', 'the unpaid order');
  }
});

test('FM6 a scheduled task that fails stops no other one, and raises an alert until it succeeds', async () => {
  const draft = await order('beside');
  await sql`alter table provider_event rename to gone`.execute(shop.db);
  shop.clock.advance(DAY_MS + 60_000);
  await shop.sweep();
  await sql`alter table gone rename to provider_event`.execute(shop.db);
  expect((await state(draft.metadata)).status).toBe('expired');
  expect(await failing()).toContainEqual({ subject: 'workOffNotices' });
  await shop.sweep();
  expect(await failing()).toEqual([]);
});

test('FM6 expired account data is deleted, also when one kind of it cannot be', async () => {
  const expires_at = new Date(shop.clock.now().getTime() - 2 * DAY_MS);
  const ceremony = { id: 'left', purpose: 'login', challenge: 'left', expires_at } as const;
  await shop.db.insertInto('ceremony').values(ceremony).execute();
  await sql`alter table session rename to gone`.execute(shop.db);
  await shop.sweep();
  await sql`alter table gone rename to session`.execute(shop.db);
  expect(await shop.db.selectFrom('ceremony').select('id').execute()).toEqual([]);
  expect(await failing()).toContainEqual({ subject: 'sweepAccounts' });
  await shop.sweep();
  expect(await failing()).toEqual([]);
});

// Regression: a worker polled after each job before it took the next, so these took five minutes.
test('FM6 waiting jobs run at once, one after the other', async () => {
  const { id } = await shop.db.selectFrom('customer').select('id').limit(1).executeTakeFirstOrThrow();
  const requests = Array.from({ length: 60 }, (_, n) => ({
    customer_id: id,
    name: 'activateSubscription',
    data: { subscriptionId: `sub_none${n}` },
  }));
  await shop.db.insertInto('job_request').values(requests).execute();
  const began = performance.now();
  await shop.sweep();
  expect(performance.now() - began).toBeLessThan(60_000);
});

test('FM6 a buyer learns at once that a provider is silent, and pays as soon as it answers', async () => {
  const orders = await Promise.all(Array.from({ length: 4 }, (_, n) => order(`silent-${n}`)));
  const last = orders.pop()!;
  await shop.sandbox.fault({ path: 'POST /v1/payment_intents' }, 'hang', 100);
  const silent = { status: 503, code: '9901' };
  // These calls reach the timeout, which opens the circuit breaker.
  for (const told of await Promise.all(orders.map(({ answer }) => answer())))
    expect(told).toMatchObject(silent);
  const began = performance.now();
  expect(await last.answer()).toMatchObject(silent);
  expect(performance.now() - began).toBeLessThan(5_000);
  await shop.sandbox.calm();
  await until(async () => (await last.answer()).code === '0000', 'the provider is asked again');
  await confirmCard(shop, cardPaymentOf(await last.press()));
  await until(async () => (await state(last.metadata)).status === 'fulfilled', 'the order');
});
