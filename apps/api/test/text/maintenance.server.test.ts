import { calls } from '@fixpoint/contract/calls.ts';
import type { Endpoint } from '@fixpoint/contract/endpoint.ts';
import { databaseSettings } from '@fixpoint/postgres/roles.ts';
import { beginOrder, makeCard, until } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../helpers/shop-command.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop?.stop());

const status = async () => (await shop.client.text.getMaintainerStatus()).headers.get('shop-status');
async function maintenance(state: 'on' | 'off'): Promise<void> {
  await runCommand(
    databaseSettings(shop.databaseUrls),
    'maintenance',
    state,
    ...(state === 'on' ? ['--yes'] : []),
  );
  const shown = state === 'on' ? 'MAINTENANCE' : 'NORMAL';
  await until(async () => (await status()) === shown, shown);
}
const count = async (table: 'shop_order' | 'attempt') =>
  Number(
    (
      await shop.db
        .selectFrom(table)
        .select(db => db.fn.countAll().as('rows'))
        .executeTakeFirstOrThrow()
    ).rows,
  );

test('every call that begins an order or a try to pay says so, and no other', () => {
  const buying = Object.values(calls as Record<string, Record<string, Endpoint>>)
    .flatMap(group => Object.values(group))
    .filter(({ buys }) => buys)
    .map(({ path, buys }) => `${path} ${buys}`);
  expect(buying.sort()).toEqual([
    '/v1/order/confirmPurchase card',
    '/v1/order/getMetaData always',
    '/v1/order/purchase always',
    '/v1/order/purchaseLogin always',
    '/v1/order/purchaseReactivate always',
    '/v1/payLink/pay always',
    '/v1/payment/stripe/payment always',
  ]);
});

test('SP12 maintenance takes no order and no card, and lets finish what is with a bank', async () => {
  const buyer = { email: 'maintained@example.com', language: 'en' as const };
  const [first, second] = [await beginOrder(shop.client), await beginOrder(shop.client)];
  await shop.client.order.purchase({ body: { ...first.consent, ...buyer } });
  const atBank = await makeCard(shop, { number: '4000002760003184' });
  const asked = await shop.client.order.confirmPurchase({ body: { metadata: first.metadata, card: atBank } });
  expect(asked.data?.status).toBe('awaitingPayment');
  const rows = [await count('shop_order'), await count('attempt')];
  const { productId, currency } = { productId: first.metadata.split('|')[4]!, currency: 'THB' };

  await maintenance('on');
  const card = await makeCard(shop);
  for (const refused of [
    await shop.client.order.getMetaData({ body: { productId, currency } }),
    await shop.client.order.purchase({ body: { ...second.consent, ...buyer } }),
    await shop.client.order.purchase({ body: { ...first.consent, ...buyer } }),
    await shop.client.order.confirmPurchase({ body: { metadata: first.metadata, card } }),
  ])
    expect(refused).toMatchObject({ status: 503, code: '9904' });
  expect([await count('shop_order'), await count('attempt')]).toEqual(rows);
  // Without a card it only asks the provider.
  const pending = await shop.client.order.confirmPurchase({ body: { metadata: first.metadata } });
  expect(pending).toMatchObject({ code: '0000', data: { status: 'awaitingPayment' } });

  await maintenance('off');
  const paid = await shop.client.order.confirmPurchase({ body: { metadata: first.metadata, card } });
  expect(['paid', 'fulfilled']).toContain(paid.data?.status);
});

test('SP12 every answer of a call names the status, refused ones too, and no statement is sent for it', async () => {
  const answers = () =>
    Promise.all([
      fetch(`${shop.url}/v1/order/getAllPlan`),
      fetch(`${shop.url}/v1/order/getAllPlan?category=${'x'.repeat(200)}`),
      fetch(`${shop.url}/v1/auth/profile`),
      fetch(`${shop.url}/v1/uiText/lang?lang=th`),
      fetch(`${shop.url}/v1/no/such/call`),
      fetch(`${shop.url}/v1/auth/login`, { method: 'POST', headers: { origin: 'https://evil.example' } }),
    ]);
  const statuses = new Set((await answers()).map(({ headers }) => headers.get('shop-status')));
  expect(statuses).toEqual(new Set(['NORMAL']));
  const { query } = pg.Client.prototype;
  const sent: string[] = [];
  pg.Client.prototype.query = function (this: pg.Client, ...given: Parameters<typeof query>) {
    sent.push(JSON.stringify(given[0]));
    return query.apply(this, given);
  } as typeof query;
  try {
    for (let call = 0; call < 20; call += 1) expect(await status()).toBe('NORMAL');
  } finally {
    pg.Client.prototype.query = query;
  }
  expect(sent.filter(text => text.includes('maintenance') || text.includes('setting'))).toEqual([]);
});
