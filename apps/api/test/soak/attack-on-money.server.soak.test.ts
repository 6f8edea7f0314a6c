import {
  beginOrder,
  cardPaymentOf,
  confirmCard,
  makeCard,
  PASSWORD,
  paypalOrderOf,
} from '@fixpoint/testkit/buyer.ts';
import type { TestClient } from '@fixpoint/testkit/client.ts';
import { sellInYen } from '@fixpoint/testkit/load-test/load-test.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { checkDatabase } from '../../src/modules/books/index.ts';
import { orderElsewhere } from '../checkout/replacing.ts';
import { orderPlan } from '../checkout/upgrading.ts';
import { savedCard, subscriber } from '../subscription/renewing.ts';
import { gainOf, newestRef, paidBy, whileWorkersSleep } from './attacker.ts';

/** Somebody who wants service, credit or money for nothing (decision 74). Money is counted by the gateways' own ledgers. */
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop({ WITHDRAWAL: 'DE:days,FR:full' });
  await sellInYen(shop.db);
});
afterEach(async () => {
  await shop.sandbox.calm();
  expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);
});
afterAll(() => shop?.stop());

const later = async (ms: number) => {
  shop.clock.advance(ms);
  await shop.sweep();
};
const btcpay = (path: string, body: object) => shop.sandbox.control(`btcpay/${path}`, body);
const coins = async (invoice: string, share = 1) => {
  await btcpay('pay', { invoice, share });
  await btcpay('confirm', { invoice });
};
/** Whether a gateway took it; a closed payment is refused there. */
const isTaken = (call: Promise<unknown>) =>
  call.then(
    () => true,
    () => false,
  );

const customerOf = async (person: Awaited<ReturnType<typeof subscriber>>) => (await person.row()).customer_id;
const statusOf = async (client: TestClient, metadata: string) =>
  (await client.order.purchaseData({ body: { metadata } })).data?.status;

test('while workers sleep, the same days, credit and card pay for one thing only', async () => {
  const eve = await subscriber(shop, 'eve');
  await later(MINUTE_MS);
  await eve.credit(500_00);
  const [client, id] = [await eve.now(), await customerOf(eve)];
  const cardId = (await savedCard(client)).id;
  const of = { id: eve.subscriptionId, country: 'FR' };
  await whileWorkersSleep(shop, async () => {
    for (let time = 0; time < 3; time += 1) {
      const { consent } = await beginOrder(client);
      await client.order.purchaseLogin({ body: { ...consent, credit: 199_00, cardId } });
    }
    const orders = [
      await orderPlan(client, eve, 'plus'),
      await orderPlan(client, eve, 'team'),
      await orderElsewhere(client, eve, { cycleCount: 3 }),
      await orderElsewhere(client, eve, { cycleCount: 6 }),
    ];
    const bought = orders.map(body => client.order.purchaseLogin({ body: { ...body, cardId } }));
    expect((await Promise.all(bought)).map(({ code }) => code)).toEqual(['0000', '0000', '0000', '0000']);
    const back = (await client.subscription.withdrawal({ query: of })).data!;
    const withdrawn = [1, 2, 3].map(() => client.subscription.withdraw({ body: { ...of, back } }));
    expect((await Promise.all(withdrawn)).some(({ code }) => code === '0000')).toBe(true);
    const end = { action: 'disable' as const, currentPassword: PASSWORD };
    expect((await client.auth.deleteAccount({ body: end })).code).toBe('8007');
  });
  expect(await gainOf(shop, id)).toBeLessThanOrEqual(10);
});

test('an order that was opened by each method, and paid by all of them, keeps one payment', async () => {
  const { consent, metadata } = await beginOrder(shop.client);
  const by = (paymentMethod: 'promptpay' | 'card' | 'paypal' | 'bitcoin') =>
    shop.client.order.purchase({
      body: { ...consent, paymentMethod, email: 'four-ways@example.com', language: 'en' },
    });
  await by('promptpay');
  const code = await newestRef(shop, 'promptpay');
  const card = cardPaymentOf((await by('card')).data);
  const paypal = paypalOrderOf((await by('paypal')).data);
  await by('bitcoin');
  const taken = [
    await isTaken(shop.sandbox.control('promptpay/pay', { intent: code })),
    (await confirmCard(shop, card)).status === 200,
    await isTaken(shop.sandbox.control('paypal/approve', { order: paypal })),
  ];
  expect(taken.slice(0, 2)).toEqual([false, false]);
  await coins(await newestRef(shop, 'bitcoin'));
  for (const minutes of [2, 16, 61, 61]) await later(minutes * MINUTE_MS);
  expect(await statusOf(shop.client, metadata)).toBe('fulfilled');
  const { id } = await shop.db
    .selectFrom('customer')
    .select('id')
    .where('email', '=', 'four-ways@example.com')
    .executeTakeFirstOrThrow();
  expect(await gainOf(shop, id)).toBeLessThanOrEqual(2);
  expect(await paidBy(shop, id)).toBe(consent.price.price);
});

describe('money that comes while an account ends', () => {
  type Ways = Record<string, (client: TestClient) => Promise<() => Promise<unknown>>>;
  const ways: Ways = {
    async paypal(client) {
      const { consent } = await beginOrder(client);
      const { data } = await client.order.purchaseLogin({ body: { ...consent, paymentMethod: 'paypal' } });
      return () => isTaken(shop.sandbox.control('paypal/approve', { order: paypalOrderOf(data) }));
    },
    async promptpay(client) {
      const { consent } = await beginOrder(client);
      await client.order.purchaseLogin({ body: { ...consent, paymentMethod: 'promptpay' } });
      const intent = await newestRef(shop, 'promptpay');
      return () => isTaken(shop.sandbox.control('promptpay/pay', { intent }));
    },
    async threeDSecure(client) {
      const { consent, metadata } = await beginOrder(client);
      const { data } = await client.order.purchaseLogin({ body: consent });
      const card = await makeCard(shop, { number: '4000002760003184' });
      await client.order.confirmPurchase({ body: { metadata, card } });
      return async () => {
        await isTaken(shop.sandbox.control('3ds/complete', { intent: cardPaymentOf(data) }));
        await shop.client.order.confirmPurchase({ body: { metadata } });
      };
    },
  };
  test.each(Object.keys(ways))('goes back, and nothing is served (%s)', async way => {
    const mia = await subscriber(shop, `ends-${way.toLowerCase()}`);
    const [client, id] = [await mia.now(), await customerOf(mia)];
    const pays = await ways[way]!(client);
    await client.subscription.cancelSubscription({ body: { id: mia.subscriptionId } });
    const end = { action: 'disable' as const, currentPassword: PASSWORD };
    expect((await client.auth.deleteAccount({ body: end })).code).toBe('0000');
    await pays();
    await later(2 * MINUTE_MS);
    await later(61 * MINUTE_MS);
    const { rows } = await sql`select from subscription where customer_id = ${id}`.execute(shop.db);
    expect(rows).toHaveLength(1);
    expect(shop.host.set()?.subscriptions.some(one => one.id === mia.subscriptionId)).toBe(false);
    // The first purchase stays paid; what came later went back.
    expect(await paidBy(shop, id)).toBe(199_00);
  });
});

describe('a lost webhook together with failing questions', () => {
  const alerts = async () =>
    (
      await shop.db
        .selectFrom('open_alert')
        .select('subject')
        .where('kind', '=', 'provider.differs')
        .execute()
    ).map(({ subject }) => subject);
  const lost = {
    promptpay: { provider: 'stripe', path: (ref: string) => `GET /v1/payment_intents/${ref}*` },
    paypal: { provider: 'paypal', path: (ref: string) => `GET /v2/checkout/orders/${ref}*` },
    bitcoin: { provider: 'btcpay', path: (ref: string) => `GET /api/v1/stores/*/invoices/${ref}*` },
  } as const;
  test.each(Object.keys(lost) as (keyof typeof lost)[])(
    'is a difference of the books within minutes (%s)',
    async method => {
      const { provider, path } = lost[method];
      const { consent, metadata } = await beginOrder(shop.client);
      const email = `lost-${method}@example.com`;
      await shop.client.order.purchase({
        body: { ...consent, paymentMethod: method, email, language: 'en' },
      });
      const ref = await newestRef(shop, method);
      await shop.sandbox.fault({ provider, event: '*' }, 'drop', 1_000);
      const silent = () => shop.sandbox.fault({ provider, path: path(ref) }, '500', 5_000);
      // Before the payment, or a poll between the two would find it. PayPal's is confirmed by a question first.
      if (method !== 'paypal') await silent();
      if (method === 'promptpay') await shop.sandbox.control('promptpay/pay', { intent: ref });
      else if (method === 'paypal') {
        const capture = 'POST /v2/checkout/orders/*/capture';
        await shop.sandbox.fault({ provider, path: capture }, 'commitThenDropConnection');
        await shop.sandbox.control('paypal/approve', { order: ref });
        await shop.client.order.confirmPurchase({ body: { metadata } });
      } else await coins(ref);
      if (method === 'paypal') await silent();
      await later(6 * MINUTE_MS);
      await later(11 * MINUTE_MS);
      const found = await alerts();
      expect(found).toHaveLength(1);
      expect(found[0]).toMatch(new RegExp(`^${provider} `));
      await shop.sandbox.calm();
      await later(61 * MINUTE_MS);
      await later(61 * MINUTE_MS);
      expect(await alerts()).toEqual([]);
      expect(await statusOf(shop.client, metadata)).toBe('fulfilled');
    },
  );
});

test('coins that a longer chain takes back are not refunded', async () => {
  const rex = await subscriber(shop, 'rex');
  const client = await rex.now();
  const { consent, metadata } = await beginOrder(client, { cycleCount: 12 });
  await client.order.purchaseLogin({ body: { ...consent, paymentMethod: 'bitcoin' } });
  const invoice = await newestRef(shop, 'bitcoin');
  await coins(invoice);
  await later(2 * MINUTE_MS);
  const { subscription } = (await client.order.purchaseData({ body: { metadata } })).data!;
  await btcpay('reorganise', { invoice, replaced: true });
  const of = { id: subscription!.id, country: 'FR' };
  const back = (await client.subscription.withdrawal({ query: of })).data!;
  await client.subscription.withdraw({ body: { ...of, back } });
  for (const minutes of [2, 61]) await later(minutes * MINUTE_MS);
  expect((await shop.sandbox.btcpayLedger()).refunds).toEqual([]);
  const gone = await shop.db
    .selectFrom('open_alert')
    .select('kind')
    .where('kind', '=', 'payment.gone')
    .execute();
  expect(gone).toHaveLength(1);
});

test('the credit of an expired order is free again, and late coins pay nothing in full without it', async () => {
  const kim = await subscriber(shop, 'kim');
  await kim.credit(100_00);
  const first = await beginOrder(kim.client);
  await kim.client.order.purchaseLogin({
    body: { ...first.consent, credit: 100_00, paymentMethod: 'bitcoin' },
  });
  const invoice = await newestRef(shop, 'bitcoin');
  await later(1.5 * DAY_MS);
  const [client, id] = [await kim.now(), await customerOf(kim)];
  const { consent } = await beginOrder(client);
  const cardId = (await savedCard(client)).id;
  await client.order.purchaseLogin({ body: { ...consent, credit: 100_00, cardId } });
  await coins(invoice);
  await later(2 * MINUTE_MS);
  await later(20 * MINUTE_MS);
  expect(await statusOf(client, first.metadata)).toBe('expired');
  expect(await gainOf(shop, id)).toBeLessThanOrEqual(4);
});

test.each(['THB', 'JPY'])(
  'rounding of days and VAT gives nothing over many small steps (%s)',
  async currency => {
    const ray = await subscriber(shop, `ray-${currency.toLowerCase()}`);
    const id = await customerOf(ray);
    let steps = 1;
    for (const country of ['DE', 'FR', 'DE'] as const) {
      let client = await ray.now();
      const cardId = (await savedCard(client)).id;
      const { consent, metadata } = await beginOrder(client, { currency, cycleCount: 1 });
      await client.order.purchaseLogin({ body: { ...consent, cardId } });
      await later(MINUTE_MS);
      const owned = {
        subscriptionId: (await client.order.purchaseData({ body: { metadata } })).data!.subscription!.id,
      };
      await later(3.3 * DAY_MS);
      client = await ray.now();
      const upgrade = { ...(await orderPlan(client, owned, 'plus')), cardId };
      expect((await client.order.purchaseLogin({ body: upgrade })).code).toBe('0000');
      await later(1.2 * DAY_MS);
      client = await ray.now();
      const elsewhere = { ...(await orderElsewhere(client, owned)), cardId };
      expect((await client.order.purchaseLogin({ body: elsewhere })).code).toBe('0000');
      await later(2 * MINUTE_MS);
      const { items } = (await client.subscription.mySubscription({ body: {} })).data!;
      for (const { id: one } of items) {
        const of = { id: one, country };
        const { code, data } = await client.subscription.withdrawal({ query: of });
        if (code === '0000') await client.subscription.withdraw({ body: { ...of, back: data! } });
      }
      await later(2 * MINUTE_MS);
      steps += 4;
      // A yen is the least unit: a hundred of ours.
      expect(await gainOf(shop, id)).toBeLessThanOrEqual(steps * (currency === 'JPY' ? 100 : 1));
    }
  },
);

test('nobody pays an offer of somebody else, by their own or the other’s card', async () => {
  const [ann, bob] = [await subscriber(shop, 'ann'), await subscriber(shop, 'bob')];
  await later(MINUTE_MS);
  const [hers, his] = [await ann.now(), await bob.now()];
  const cardId = (await savedCard(his)).id;
  const [upgrade, elsewhere] = [await orderPlan(hers, ann, 'plus'), await orderElsewhere(hers, ann)];
  for (const order of [upgrade, elsewhere]) {
    expect((await his.order.purchaseLogin({ body: { ...order, cardId } })).code).not.toBe('0000');
    expect((await hers.order.purchaseLogin({ body: { ...order, cardId } })).code).toBe('6007');
    const { metadata, paymentMethod, termsVersion, price } = order;
    const guest = { metadata, paymentMethod, termsVersion, price, email: 'guest@example.com' };
    expect((await shop.client.order.purchase({ body: { ...guest, language: 'en' } })).code).not.toBe('0000');
  }
  await later(2 * MINUTE_MS);
  for (const person of [ann, bob])
    expect(await gainOf(shop, await customerOf(person))).toBeLessThanOrEqual(1);
});
