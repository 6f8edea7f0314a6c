import { webcrypto } from 'node:crypto';
import { beginOrder, cardPaymentOf, confirmCard, emailTo, until } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { whileLocked } from '../helpers/while-locked.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop?.stop());

const buyer = (name: string) => ({ email: `${name}@example.com`, language: 'en' as const });
const state = async (metadata: string) =>
  (await shop.client.order.purchaseData({ body: { metadata } })).data!;
/** Successful charges at the provider for the orders of an address. */
const succeeded = async (email: string) => {
  const invoices = await shop.db
    .selectFrom('invoice')
    .innerJoin('shop_order', 'shop_order.id', 'invoice.order_id')
    .select('invoice.id')
    .where('shop_order.email', '=', email)
    .execute();
  const ids = new Set(invoices.map(({ id }) => id));
  const intents = await shop.stripe.paymentIntents.list({ limit: 100 });
  return intents.data.filter(
    ({ status, metadata }) => status === 'succeeded' && ids.has(metadata.invoice_id ?? ''),
  ).length;
};

describe('a visitor who buys with an email address', () => {
  test('pays and gets a subscription with a fixed IP, a receipt and a link for the first password', async () => {
    const { email, subscriptionId, client } = await shop.customer('first');
    const { data } = await client.subscription.getSubscription({ query: { id: subscriptionId } });
    expect(data).toMatchObject({ status: 'active', devices: 2, keyCount: 0, hostReachable: true });
    expect(data!.address).toMatch(/^203\.0\.113\.\d+$/);
    expect(await succeeded(email)).toBe(1);
    const receipt = await emailTo(shop, email, /Receipt number/);
    const text = receipt.Text.replaceAll('\u00a0', ' ');
    expect(text).toContain('Total: THB 199.00');
    expect(text).toContain('VAT 7%: THB 13.02');
    expect(text).toContain('Price before VAT: THB 185.98');
  });

  test('is declined and pays the same order with another card: one charge in all', async () => {
    const { consent, metadata } = await beginOrder(shop.client);
    const order = { ...consent, ...buyer('declined') };
    const first = await shop.client.order.purchase({ body: order });
    const refused = await confirmCard(shop, cardPaymentOf(first.data), 'pm_card_visa_chargeDeclined');
    expect(refused.status).toBe(402);
    const after = await shop.client.order.confirmPurchase({ body: { metadata } });
    expect(after.data).toMatchObject({ status: 'failed', failure: '2002' });

    const second = await shop.client.order.purchase({ body: order });
    expect(cardPaymentOf(second.data)).not.toBe(cardPaymentOf(first.data));
    await confirmCard(shop, cardPaymentOf(second.data));
    await until(async () => (await state(metadata)).status === 'fulfilled', 'the order with the second card');
    expect(await succeeded(order.email)).toBe(1);

    // The first payment was closed at the provider and can never take money again.
    const late = await confirmCard(shop, cardPaymentOf(first.data));
    expect(late.status).toBe(400);
    expect(await succeeded(order.email)).toBe(1);
  });

  test('reads a code of its own when the card has too little money', async () => {
    const { consent, metadata } = await beginOrder(shop.client);
    const bought = await shop.client.order.purchase({ body: { ...consent, ...buyer('poor') } });
    await confirmCard(shop, cardPaymentOf(bought.data), 'pm_card_visa_chargeDeclinedInsufficientFunds');
    await shop.client.order.confirmPurchase({ body: { metadata } });
    expect(await state(metadata)).toMatchObject({ status: 'failed', failure: 'insufficient_funds' });
  });

  test('presses the button many times and makes one payment and one charge', async () => {
    const { consent, metadata } = await beginOrder(shop.client);
    const order = { ...consent, ...buyer('impatient') };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => shop.client.order.purchase({ body: order })),
    );
    expect(answers.map(answer => answer.code)).toEqual(Array(20).fill('0000'));
    const intents = new Set(answers.map(answer => cardPaymentOf(answer.data)));
    expect(intents.size).toBe(1);
    await confirmCard(shop, [...intents][0]!);
    await until(async () => (await state(metadata)).status === 'fulfilled', 'the order');
    const again = await shop.client.order.purchase({ body: order });
    expect(again.data).toMatchObject({ status: 'fulfilled' });
    expect(again.data!.payment).toBeUndefined();
    expect(await succeeded(order.email)).toBe(1);
  });

  test('S34 is charged the price at the time of the choice: another amount or currency is refused', async () => {
    const { consent, metadata } = await beginOrder(shop.client);
    const { price: right } = consent.price;
    const amounts = [0, -1, 1, right - 1, right + 1, 1e9, right + 0.5, Number.NaN, null, String(right)];
    const wrong = [
      ...amounts.map(price => ({ currency: 'THB', price })),
      { currency: 'USD', price: right },
      { currency: 'THB', price: right, vat: 0 },
    ];
    for (const price of wrong) {
      const body = { ...consent, ...buyer('tamper'), price } as never;
      expect(await shop.client.order.purchase({ body }), JSON.stringify(price)).toMatchObject({
        status: 400,
        code: '7004',
      });
    }
    // A later price increase does not change the order.
    const dearer = sql`update plan_price set price = price * 2`;
    const asBefore = sql`update plan_price set price = price / 2`;
    await dearer.execute(shop.db);
    const bought = await shop.client.order.purchase({ body: { ...consent, ...buyer('tamper') } });
    await asBefore.execute(shop.db);
    expect(bought.data?.total).toMatchObject({ currency: 'THB', price: right });
    expect((await state(metadata)).total.price).toBe(right);
    const unknown = await shop.client.order.purchase({
      body: { ...consent, ...buyer('tamper'), status: 'paid' } as never,
    });
    expect(unknown).toMatchObject({ status: 400, code: '7004' });
  });

  test('S46 must have accepted the current terms', async () => {
    const { consent } = await beginOrder(shop.client);
    const answer = await shop.client.order.purchase({
      body: { ...consent, ...buyer('terms'), termsVersion: '' },
    });
    expect(answer).toMatchObject({
      status: 400,
      code: '7004',
      data: { fields: { termsVersion: 'form.terms.required' } },
    });
  });

  test('reads that the subscription waits for a host, and the paid period begins only with it', async () => {
    shop.host.silence(true);
    const { consent, metadata } = await beginOrder(shop.client);
    const bought = await shop.client.order.purchase({ body: { ...consent, ...buyer('waiting') } });
    await confirmCard(shop, cardPaymentOf(bought.data));
    await until(async () => (await state(metadata)).status === 'fulfilled', 'the order');
    expect((await state(metadata)).subscription).toMatchObject({ status: 'provisioning' });
    shop.clock.advance(3 * 86_400_000);
    shop.host.silence(false);
    await shop.host.report();
    const active = await until(async () => {
      const now = await state(metadata);
      return now.subscription?.status === 'active' && now;
    }, 'the subscription');
    const days = (Date.parse(active.renewsAt!) - shop.clock.now().getTime()) / 86_400_000;
    expect(days).toBeGreaterThan(27);
  });
});

test('a place without a host sells if it has a waiting list, and otherwise does not sell', async () => {
  const status = (value: 'active' | 'retired') =>
    shop.db.updateTable('host').set({ status: value }).execute();
  await status('retired');
  const { offers } = (await shop.client.order.getVendor({ query: {} })).data!;
  expect(Object.fromEntries(offers.map(offer => [offer.regionId, [offer.available, offer.waits]]))).toEqual({
    'th-bkk': [true, true],
    'sg-sin': [false, false],
    'jp-tyo': [false, false],
  });
  const refused = await shop.client.order.getMetaData({
    body: { productId: 'solo-1m-hetzner-sg-sin-fixpoint', currency: 'THB' },
  });
  expect(refused).toMatchObject({ status: 400, code: '6004' });

  const { consent, metadata } = await beginOrder(shop.client);
  const bought = await shop.client.order.purchase({ body: { ...consent, ...buyer('patient') } });
  await confirmCard(shop, cardPaymentOf(bought.data));
  await until(async () => (await state(metadata)).status === 'fulfilled', 'the order');
  const { subscription } = await state(metadata);
  expect(subscription!.status).toBe('provisioning');
  expect(subscription!.address).toBeUndefined();

  await status('active');
  await shop.sweep();
  await until(async () => (await state(metadata)).subscription!.status === 'active', 'the subscription');
});

test('FM8 an order that cannot be fulfilled yet does not starve others', async () => {
  const submitted = async (name: string) => {
    const { consent, metadata } = await beginOrder(shop.client);
    const { data } = await shop.client.order.purchase({ body: { ...consent, ...buyer(name) } });
    const pay = () => confirmCard(shop, cardPaymentOf(data));
    return { metadata, pay };
  };
  const fulfilled = ({ metadata }: { metadata: string }) =>
    until(async () => (await state(metadata)).status === 'fulfilled', 'the order');
  const [first, second] = [await submitted('stuck'), await submitted('free')];
  const lines = `select from invoice_line where invoice_id in (select invoice.id from invoice
    join shop_order on shop_order.id = order_id where email = '${buyer('stuck').email}') for update`;
  await whileLocked(shop, lines, first.pay, async () => {
    await second.pay();
    await fulfilled(second);
  });
  await fulfilled(first);
});

test("FM8 no transaction spans the creation of an order's keys or its delivery check", async () => {
  const { consent, metadata } = await beginOrder(shop.client);
  const { data } = await shop.client.order.purchase({ body: { ...consent, ...buyer('signed') } });
  const { subtle } = webcrypto;
  const generateKey = subtle.generateKey.bind(subtle) as (...given: unknown[]) => Promise<never>;
  const looks: Promise<unknown>[] = [];
  const allEnded = async () => {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`.execute(shop.db);
    return rows.length === 0;
  };
  const spy = vi.spyOn(subtle, 'generateKey').mockImplementation(async (...given) => {
    const ended = until(allEnded, 'all transactions have ended', 20_000);
    looks.push(ended);
    await ended.catch(() => {});
    return generateKey(...given);
  });
  try {
    await confirmCard(shop, cardPaymentOf(data));
    await until(async () => (await state(metadata)).subscription?.status === 'active', 'the subscription');
  } finally {
    spy.mockRestore();
  }
  // The key of its authority, of its server and of the probe.
  expect(looks.length).toBeGreaterThanOrEqual(3);
  await Promise.all(looks);
});

describe('S38 the card provider’s webhook', () => {
  const post = (body: string, signature: string | undefined) =>
    fetch(`${shop.url}/webhooks/stripe`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(signature && { 'stripe-signature': signature }) },
      body,
    });
  const event = (id: string) =>
    JSON.stringify({
      id,
      object: 'event',
      type: 'payment_intent.succeeded',
      livemode: false,
      data: { object: { id: 'pi_forged', object: 'payment_intent', status: 'succeeded' } },
    });
  const seconds = () => Math.floor(shop.clock.now().getTime() / 1000);
  const sign = (payload: string, secret: string, timestamp = seconds()) =>
    Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  const stored = async (id: string) =>
    (await shop.db.selectFrom('provider_event').selectAll().where('event_id', '=', id).execute()).length;

  test('without, with a wrong or an old signature, or with a changed body is refused and not stored', async () => {
    const body = event('evt_forged');
    const { webhookSecret } = shop.sandbox;
    const old = seconds() - 301;
    for (const [payload, signature] of [
      [body, undefined],
      [body, sign(body, 'whsec_another')],
      [body, sign(body, webhookSecret, old)],
      [`${body} `, sign(body, webhookSecret)],
    ] as const) {
      expect((await post(payload, signature)).status).toBe(400);
    }
    expect(await stored('evt_forged')).toBe(0);
  });

  test('FS13 of another account or mode, or signed and empty, is refused and not stored', async () => {
    const { webhookSecret } = shop.sandbox;
    const body = event('evt_foreign');
    const foreign = JSON.stringify({ ...JSON.parse(body), account: 'acct_another' });
    const live = JSON.stringify({ ...JSON.parse(body), livemode: true });
    for (const payload of [foreign, live, '', '{}', 'null', '[]', 'no JSON'])
      expect((await post(payload, sign(payload, webhookSecret))).status, payload).toBe(400);
    expect(await stored('evt_foreign')).toBe(0);
  });

  test('that arrives ten times at once is stored once and always answered 200', async () => {
    const body = event('evt_ten');
    const signature = sign(body, shop.sandbox.webhookSecret);
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(body, signature)));
    expect(answers.map(answer => answer.status)).toEqual(Array(10).fill(200));
    expect(await stored('evt_ten')).toBe(1);
  });
});

test('S37 a webhook event that claims a payment does not pay its order', async () => {
  const { consent, metadata } = await beginOrder(shop.client);
  await shop.client.order.purchase({ body: { ...consent, ...buyer('liar') } });
  const claimed = await shop.client.order.confirmPurchase({ body: { metadata } });
  expect(claimed.data!.status).toBe('awaitingPayment');
  const forged = metadata.replace(/[0-9a-f]{12}$/, '000000000000');
  const other = await shop.client.order.purchaseData({ body: { metadata: forged } });
  const unknown = { fields: { order: 'form.order.unknown' } };
  expect(other).toMatchObject({ status: 400, code: '7004', data: unknown });
});

test('an order that was never submitted expires too', async () => {
  const { metadata } = await beginOrder(shop.client);
  shop.clock.advance(25 * 60 * 60 * 1000);
  await shop.sweep();
  expect((await state(metadata)).status).toBe('expired');
});

test('an unpaid order expires after a day, and its payment is closed at the provider', async () => {
  const { consent, metadata } = await beginOrder(shop.client);
  const bought = await shop.client.order.purchase({ body: { ...consent, ...buyer('late') } });
  shop.clock.advance(25 * 60 * 60 * 1000);
  await shop.sweep();
  expect((await state(metadata)).status).toBe('expired');
  const late = await confirmCard(shop, cardPaymentOf(bought.data));
  expect(late.status).toBe(400);
});

test("S83 an unpaid guest's address is erased thirty days after their order, a buyer's is not", async () => {
  const DAY_MS = 24 * 60 * 60 * 1000;
  const order = async (name: string, card?: string) => {
    const { consent, metadata } = await beginOrder(shop.client);
    const bought = await shop.client.order.purchase({ body: { ...consent, ...buyer(name) } });
    if (card) await confirmCard(shop, cardPaymentOf(bought.data), card);
    await shop.client.order.confirmPurchase({ body: { metadata } });
    return metadata;
  };
  const kept = async () => {
    const rows = await shop.db
      .selectFrom('shop_order')
      .select('email')
      .where('email', 'like', 'forget-%')
      .orderBy('email')
      .execute();
    return rows.map(({ email }) => email!.split('@')[0]);
  };
  const paid = await order('forget-paid', 'pm_card_visa');
  const refused = await order('forget-refused', 'pm_card_visa_chargeDeclined');
  await order('forget-undecided');
  expect((await state(refused)).status).toBe('failed');
  await until(async () => (await state(paid)).status === 'fulfilled', 'the order');
  shop.clock.advance(DAY_MS + 60_000);
  await shop.sweep();
  expect((await state(refused)).status).toBe('expired');
  shop.clock.advance(30 * DAY_MS - 2 * 60_000);
  await shop.sweep();
  expect(await kept()).toEqual(['forget-paid', 'forget-refused', 'forget-undecided']);
  shop.clock.advance(2 * 60_000);
  await shop.sweep();
  expect(await kept()).toEqual(['forget-paid']);
  // The order's page is the same without the address.
  expect(await state(refused)).toMatchObject({ status: 'expired' });
  expect(await state(refused)).not.toHaveProperty('email');
});
