import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@fixpoint/dev-stack/ports.ts';
import { databaseSettings } from '@fixpoint/postgres/roles.ts';
import { beginOrder, makeCard } from '@fixpoint/testkit/buyer.ts';
import { createClient } from '@fixpoint/testkit/client.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPostgresIdempotencyRecords } from '../../src/adapters/postgres-idempotency-records.ts';
import { type Shop, startShop } from '../../src/compose/shop.ts';
import { createVault, singleKeyring } from '../../src/crypto/vault.ts';
import { openDatabase } from '../../src/database/database.ts';
import { readEnv } from '../../src/env/env.ts';
import { createIdempotency } from '../../src/http/idempotency.ts';
import { createLogger } from '../../src/log/logger.ts';

/** Two nodes of one shop, and repeated calls to them. */
let folder: string;
let shop: TestShop;
let other: { url: string; node: Shop };
let alice: Awaited<ReturnType<TestShop['customer']>>;
let bob: Awaited<ReturnType<TestShop['customer']>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fixpoint-once-'));
  const MASTER_KEY_FILE = join(folder, 'master.key');
  shop = await startTestShop({ MASTER_KEY_FILE }, undefined, undefined, ['jobs']);
  const port = await freePort();
  const settings = readEnv({
    ...databaseSettings(shop.databaseUrls),
    ...shop.sandbox.settings,
    PORT: String(port),
    DATA_DIR: folder,
    WEB_DIR: folder,
    MASTER_KEY_FILE,
    ROLE: 'api',
    LOG_LEVEL: 'error',
    LIMITS_SCALE: '1000',
    MAX_EVENT_LOOP_DELAY: '60000',
  });
  const node = await startShop(settings, createLogger('error'), shop.clock);
  other = { url: `http://127.0.0.1:${port}`, node };
  [alice, bob] = [await shop.customer('alice', 'plus'), await shop.customer('bob', 'plus')];
});
afterAll(async () => {
  await other?.node.close();
  await shop?.stop();
  await rm(folder, { recursive: true, force: true });
});

const under = (key: string) => ({ 'idempotency-key': key });
const withoutHeaders = <A extends { headers: Headers }>({ headers: _, ...answer }: A) => answer;
const add = (who: typeof alice, name: string, key?: string) =>
  who.client.subscription.addKey(
    { body: { subscriptionId: who.subscriptionId, name } },
    key === undefined ? {} : under(key),
  );
const used = { status: 400, code: '7004', data: { fields: { 'idempotency-key': 'form.request.changed' } } };

test('S36 fifty equal purchases at two nodes make one payment, and each gets the same answer', async () => {
  const nodes = [shop.client, createClient(other.url)];
  const { consent, metadata } = await beginOrder(shop.client);
  const body = { ...consent, email: 'once@example.com', language: 'en' as const };
  const buy = (at: number, more: object = {}, key = 'buy-1') =>
    nodes[at % 2]!.order.purchase({ body: { ...body, ...more } }, under(key));
  const answers = (await Promise.all(Array.from({ length: 50 }, (_, at) => buy(at)))).map(withoutHeaders);
  expect(answers[0]).toMatchObject({ code: '0000', data: { status: 'awaitingPayment' } });
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  const paying = await shop.db
    .selectFrom('attempt')
    .innerJoin('invoice', 'invoice.id', 'attempt.invoice_id')
    .innerJoin('shop_order', 'shop_order.id', 'invoice.order_id')
    .where('shop_order.email', '=', body.email)
    .select('attempt.id')
    .execute();
  expect(paying).toHaveLength(1);

  // The key is refused with another body and for another call, on any node.
  expect(await buy(0, { email: 'twice@example.com' })).toMatchObject(used);
  expect(await buy(1, { language: 'th' })).toMatchObject(used);
  expect(await nodes[1]!.order.confirmPurchase({ body: { metadata } }, under('buy-1'))).toMatchObject(used);
  // Another order of members is the same body.
  const turned = Object.fromEntries(Object.entries(body).reverse()) as typeof body;
  expect(withoutHeaders(await nodes[1]!.order.purchase({ body: turned }, under('buy-1')))).toEqual(
    answers[0],
  );

  // One card is charged once: the second answer is the first one's.
  const card = await makeCard(shop);
  const confirm = (at: number) =>
    nodes[at % 2]!.order.confirmPurchase({ body: { metadata, card } }, under('pay-1'));
  const paid = (await Promise.all(Array.from({ length: 10 }, (_, at) => confirm(at)))).map(withoutHeaders);
  expect(paid[0]!.code).toBe('0000');
  for (const answer of paid) expect(answer).toEqual(paid[0]);
  // The order has moved on, but a repeated purchase gets the stored answer.
  expect(withoutHeaders(await buy(1))).toEqual(answers[0]);
  expect((await buy(1, {}, 'buy-2')).data!.status).not.toBe('awaitingPayment');
});

test('S36 a device is added once per key; a repeated call without a key reports that the device exists', async () => {
  const first = await add(alice, 'laptop', 'k1');
  expect(first.code).toBe('0000');
  expect(withoutHeaders(await add(alice, 'laptop', 'k1'))).toEqual(withoutHeaders(first));
  expect(await add(alice, 'laptop')).toMatchObject({ code: '4001' });
  // A refusal is stored too, although a new call would be answered differently by now.
  expect(await add(alice, 'laptop', 'k2')).toMatchObject({ code: '4001' });
  await alice.client.subscription.deleteKey({
    body: { subscriptionId: alice.subscriptionId, keyId: first.data!.id },
  });
  expect(await add(alice, 'laptop', 'k2')).toMatchObject({ code: '4001' });
  expect(await add(alice, 'phone', 'k2')).toMatchObject(used);
});

test("S36 a key belongs to its customer: another customer's call gets no stored answer", async () => {
  const mine = await add(alice, 'tablet', 'shared');
  const his = await add(bob, 'tablet', 'shared');
  expect(his.code).toBe('0000');
  expect(his.data!.id).not.toBe(mine.data!.id);
  const { consent } = await beginOrder(shop.client);
  const guest = await shop.client.order.purchase(
    { body: { ...consent, email: 'guest@example.com', language: 'en' } },
    under('shared'),
  );
  expect(guest).toMatchObject({ code: '0000', data: { status: 'awaitingPayment' } });
});

test.each(['', 'a b', 'x'.repeat(256), 'ü'])('S36 %j is no key', async key => {
  expect(await add(alice, 'no-key', key)).toMatchObject({
    code: '7004',
    data: { fields: { 'idempotency-key': 'form.invalid' } },
  });
});

test("S36 S30 a stored answer is unreadable in the database and for a customer's role, and is deleted after a day", async () => {
  await add(alice, 'kept', 'day');
  const rows = await shop.db.selectFrom('idempotency_record').selectAll().execute();
  expect(rows.length).toBeGreaterThan(0);
  for (const { key, body, answer_sealed: answer } of rows)
    expect(Buffer.concat([key, body, answer ?? Buffer.of()]).toString('latin1')).not.toMatch(
      /kept|laptop|example|secret|reference|key_/,
    );
  const customer = openDatabase(shop.databaseUrls.customer);
  await expect(customer.db.selectFrom('idempotency_record').selectAll().execute()).rejects.toThrow(
    /permission denied/,
  );
  await customer.close();

  shop.clock.advance(24 * 60 * 60_000 - 60_000);
  await shop.sweep();
  expect((await add(alice, 'kept', 'day')).code).not.toBe('4001');
  shop.clock.advance(2 * 60_000);
  await shop.sweep();
  expect(await shop.db.selectFrom('idempotency_record').selectAll().execute()).toEqual([]);
});

test('S36 a fault or temporary error is not stored; a call that died with its key is waited for, then replaced', async () => {
  const [one, two] = [openDatabase(shop.databaseUrls.app), openDatabase(shop.databaseUrls.app)];
  const root = Buffer.alloc(32, 7);
  const vault = createVault(singleKeyring(root));
  const answersOf = ({ db }: typeof one) => createPostgresIdempotencyRecords(db, shop.clock, { root, vault });
  const [here, there] = [createIdempotency(answersOf(one)), createIdempotency(answersOf(two))];
  const call = (key: string, body: object = { a: 1 }, userId = 'cus_1') => ({
    call: 'm.c',
    key,
    caller: { userId, customerId: 'cus_1' },
    body,
  });
  try {
    await expect(here(call('k'), () => Promise.reject(new Error('provider')))).rejects.toThrow('provider');
    const limited = { refusal: 'tooManyRequests', retryAfterSeconds: 9 };
    expect(await there(call('k'), async () => limited)).toBe(limited);
    expect(await here(call('k', { a: 2 }), async () => ({ no: true }))).toMatchObject({
      refusal: 'validationFailed',
    });
    expect(await here(call('k', { a: 1, humanCheck: 'x' }), async () => ({ done: 1 }))).toEqual({ done: 1 });
    expect(await there(call('k'), async () => ({ done: 2 }))).toEqual({ done: 1 });
    // A colleague’s key is another one.
    expect(await there(call('k', { a: 1 }, 'cus_2'), async () => ({ done: 3 }))).toEqual({ done: 3 });

    const begun = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<object>();
    const slow = here(call('dead'), () => {
      begun.resolve();
      return ended.promise;
    });
    await begun.promise;
    const follower = there(call('dead'), async () => ({ done: 'by the second' }));
    shop.clock.advance(61_000);
    expect(await follower).toEqual({ done: 'by the second' });
    // The first call resumes, but its result is not what the shop answers from now on.
    ended.resolve({ done: 'by the first' });
    await slow;
    expect(await here(call('dead'), async () => ({}))).toEqual({ done: 'by the second' });
  } finally {
    await Promise.all([one.close(), two.close()]);
  }
});
