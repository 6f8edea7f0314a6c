import { limitOf } from '@fixpoint/contract/limits.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

const productId = 'solo-1m-demo-th-bkk-fixpoint';
let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop({ LIMITS_SCALE: '1', TRUST_PROXY: '127.0.0.1' });
});
afterAll(() => shop?.stop());

const begin = (address = '198.51.100.1') =>
  shop.client.order.getMetaData({ body: { productId, currency: 'THB' } }, { 'x-forwarded-for': address });
const latest = () =>
  shop.db
    .selectFrom('shop_order')
    .select(['price', 'net', 'vat', 'vat_rate_bp', 'renewal', 'status', 'entitlements'])
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();

test('S34 each order keeps the price of its own start', async () => {
  await begin();
  const before = await latest();
  expect((await begin()).code).toBe('0000');
  expect(await latest()).toEqual(before);
  shop.clock.advance(1);
  await sql`update plan_price set price = 21400, renewal = 32100 where plan_id = 'solo' and cycle_count = 1`.execute(
    shop.db,
  );
  await begin();
  expect(await latest()).toMatchObject({ price: 214_00, net: 200_00, vat: 14_00, renewal: 321_00 });
  shop.clock.advance(1);
  await sql`update vat_rate set rate_bp = 1000`.execute(shop.db);
  await begin();
  expect(await latest()).toMatchObject({ price: 214_00, vat: 19_45, vat_rate_bp: 1000, status: 'draft' });
});

test('an order keeps the entitlements of its plan at its start', async () => {
  const entitlements = (devices: number) =>
    sql`update plan set devices = ${devices} where id = 'solo'`.execute(shop.db);
  for (const devices of [3, 2]) {
    await begin();
    shop.clock.advance(1);
    await entitlements(devices);
    await begin();
    expect((await latest()).entitlements.devices).toBe(devices);
  }
});

test('no order begins for a product that is no longer sold', async () => {
  expect((await begin()).code).toBe('0000');
  const sell = (active: boolean) =>
    sql`update plan set active = ${active} where id = 'solo'`.execute(shop.db);
  await sell(false);
  expect(await begin()).toMatchObject({ status: 400, code: '6004' });
  await sell(true);
  expect((await begin()).code).toBe('0000');
});

test('no order begins where the last address is sold and there is no waiting list', async () => {
  await sql`update offer set waiting_list = true`.execute(shop.db);
  expect((await begin()).code).toBe('0000');
  await sql`update offer set waiting_list = false`.execute(shop.db);
  await sql`update host set draining = true`.execute(shop.db);
  expect(await begin()).toMatchObject({ status: 400, code: '6004' });
});

test('concurrent orders from one address begin up to its limit', async () => {
  await sql`update offer set waiting_list = true`.execute(shop.db);
  const { most } = limitOf('beginOrder').perClient!;
  const two = ['203.0.113.1', '203.0.113.2'];
  const answers = await Promise.all(
    Array.from({ length: 2 * (most + 10) }, async (_, n) => ({
      address: two[n % 2],
      status: (await begin(two[n % 2])).status,
    })),
  );
  for (const address of two) {
    const own = answers.filter(answer => answer.address === address).map(({ status }) => status);
    expect(own.filter(status => status === 200)).toHaveLength(most);
    expect(own.filter(status => status === 429)).toHaveLength(10);
  }
});
