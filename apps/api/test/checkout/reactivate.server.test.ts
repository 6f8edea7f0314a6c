import { parseMetadata, socketToken } from '@fixpoint/contract/metadata.ts';
import { cardPaymentOf, confirmCard, until } from '@fixpoint/testkit/buyer.ts';
import type { TestClient } from '@fixpoint/testkit/client.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { sql, type Updateable } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { checkDatabase } from '../../src/modules/books/index.ts';
import type { Tables } from '../../src/ports/tables.ts';
import { connect } from '../helpers/people.ts';
import { leaveAlone, subscriber, takeUpAgain } from '../subscription/renewing.ts';
import { buyPlan, orderPlan } from './upgrading.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop({ WITHDRAWAL: 'FR:full' });
});
afterAll(() => shop?.stop());
afterEach(() => leaveAlone(shop));

type Subscriber = Awaited<ReturnType<typeof subscriber>>;

/** Creates a subscriber who turned renewal off at once, `days` after the end of the paid period. */
async function lapsed(name: string, days: number): Promise<Subscriber> {
  const person = await subscriber(shop, name);
  await person.client.subscription.cancelSubscription({ body: { id: person.subscriptionId } });
  await person.at(0);
  if (days > 0) await person.at(days);
  return person;
}

const offered = async (client: TestClient, { subscriptionId: id }: Subscriber) =>
  client.order.getData({ query: { id } });

/** Begins an order that reactivates the subscription, up to the moment before payment. */
async function order(client: TestClient, person: Subscriber) {
  const { product, total } = (await offered(client, person)).data!;
  const { currency } = total;
  const body = { productId: product.id, currency, subscriptionId: person.subscriptionId };
  const { metadata } = (await client.order.getMetaData({ body })).data!;
  const termsVersion = (await client.text.getTerm()).data!.version;
  const price = { currency, price: total.price };
  return { metadata, paymentMethod: 'card' as const, termsVersion, price };
}

async function buy(client: TestClient, consent: Awaited<ReturnType<typeof order>>) {
  const bought = await client.order.purchaseReactivate({ body: consent });
  await confirmCard(shop, cardPaymentOf(bought.data));
  await client.order.confirmPurchase({ body: { metadata: consent.metadata } });
}

/** Live socket of an order's page. */
const pageOf = ({ metadata }: { metadata: string }) =>
  connect(shop.url, socketToken(parseMetadata(metadata)!.reference));

const active = (person: Subscriber) =>
  until(async () => (await person.row()).status === 'active', 'it is active again');

const trusts = ({ subscriptionId }: Subscriber) =>
  shop.db
    .selectFrom('subscription_identity')
    .select('ca')
    .where('subscription_id', '=', subscriptionId)
    .executeTakeFirst();
const addressOf = async (client: TestClient, { subscriptionId: id }: Subscriber) =>
  (await client.subscription.getSubscription({ query: { id } })).data!.address;

test('FC3 while the address is reserved, reactivation restores the same address and files', async () => {
  const anna = await lapsed('anna', 20);
  const client = await anna.now();
  const before = { address: await addressOf(client, anna), trust: await trusts(anna) };
  const { data } = await offered(client, anna);
  expect(data!.held?.address).toBe(before.address);
  const again = await order(client, anna);
  const socket = await pageOf(again);
  const heard: string[] = [];
  socket.on('STATUS', ({ status }) => heard.push(status));
  await buy(client, again);
  await active(anna);
  // The page's socket reports payment, delivery and activation, then closes.
  await until(async () => !socket.connected, 'the end of its socket');
  expect(heard.filter(status => status === 'fulfilled')).toHaveLength(2);
  expect({ address: await addressOf(client, anna), trust: await trusts(anna) }).toEqual(before);
  const row = await anna.row();
  expect(row.period_start!.getTime()).toBeGreaterThanOrEqual(anna.firstEnd.getTime());
  expect(row.cancel_at_period_end).toBe(false);
  const message = await anna.message(/is running again/);
  expect(message.Text).toContain(`your earlier fixed IP ${before.address}`);
  expect(message.Text).toContain('the files on your devices work as before');
  expect((await anna.invoices()).map(({ purpose }) => purpose)).toEqual(['purchase', 'reactivation']);
});

test('after the reservation another address comes, which the page says before payment', async () => {
  const ben = await lapsed('ben', 0);
  const early = await ben.now();
  const address = await addressOf(early, ben);
  await ben.at(31);
  const client = await ben.now();
  expect((await offered(client, ben)).data!.held).toBeUndefined();
  // With credit and the saved card.
  await ben.credit(50_00);
  const consent = await order(client, ben);
  const cardId = (await client.payment.getCard()).data!.cards[0]!.id;
  const bought = await client.order.purchaseReactivate({ body: { ...consent, cardId, credit: 50_00 } });
  expect(bought.data).toMatchObject({ credit: 50_00 });
  await active(ben);
  expect((await ben.taken())[0]).toBe(consent.price.price - 50_00);
  const other = await addressOf(client, ben);
  expect(other).not.toBe(address);
  const message = await ben.message(/is running again/);
  expect(message.Text).toContain(`Your fixed IP is now ${other}. Each device needs a new file`);
});

test('the promised address comes although its reservation ends before the money arrives; otherwise the page says so again', async () => {
  const [jon, kay] = [await subscriber(shop, 'jon'), await subscriber(shop, 'kay')];
  for (const { client, subscriptionId: id } of [jon, kay])
    await client.subscription.cancelSubscription({ body: { id } });
  await kay.at(0);
  // An hour before the reservation ends.
  await kay.at(30 - 1 / 24);
  const [early, his] = [await kay.now(), await jon.now()];
  const address = await addressOf(early, kay);
  expect((await offered(early, kay)).data!.held?.address).toBe(address);
  const [looked, paying] = [await order(his, jon), await order(early, kay)];
  const bought = await early.order.purchaseReactivate({ body: paying });
  await kay.at(30.5);
  // Nobody else gets it while she pays; a customer who only looked has to look again.
  const [hers, late] = [await kay.now(), await jon.now()];
  expect((await offered(hers, kay)).data!.held?.address).toBe(address);
  expect((await offered(late, jon)).data!.held).toBeUndefined();
  const refused = await late.order.purchaseReactivate({ body: looked });
  expect(refused).toMatchObject({ code: '7004', data: { fields: { order: 'order.again.other' } } });
  await confirmCard(shop, cardPaymentOf(bought.data));
  await hers.order.confirmPurchase({ body: { metadata: paying.metadata } });
  await active(kay);
  expect(await addressOf(hers, kay)).toBe(address);
  await buy(late, await order(late, jon));
  await active(jon);
});

test('T9 the promised address waits for coins that were sent in time, however long their block takes', async () => {
  const max = await lapsed('max', 29);
  const client = await max.now();
  const address = await addressOf(client, max);
  const consent = { ...(await order(client, max)), paymentMethod: 'bitcoin' as const };
  expect((await client.order.purchaseReactivate({ body: consent })).code).toBe('0000');
  const paying = () =>
    shop.db
      .selectFrom('attempt')
      .innerJoin('invoice', 'invoice.id', 'attempt.invoice_id')
      .select(['attempt.status', 'attempt.provider_ref'])
      .where('invoice.subscription_id', '=', max.subscriptionId)
      .where('attempt.method', '=', 'bitcoin')
      .executeTakeFirstOrThrow();
  const { provider_ref: invoice } = await paying();
  await shop.sandbox.control('btcpay/pay', { invoice });
  await until(async () => (await paying()).status === 'processing', 'the coins');
  for (const days of [30.1, 31.5, 33, 34.5]) await max.at(days);
  await shop.sandbox.control('btcpay/confirm', { invoice });
  await active(max);
  expect(await addressOf(await max.now(), max)).toBe(address);
});

test('T9 unpaid orders extend a reservation by a week, after which the address is promised to nobody', async () => {
  const lou = await lapsed('lou', 0);
  const held = async (days: number) => {
    await lou.at(days);
    const client = await lou.now();
    const { held: promised } = (await offered(client, lou)).data!;
    const bought = await client.order.purchaseReactivate({ body: await order(client, lou) });
    expect(bought.code).toBe('0000');
    return promised !== undefined;
  };
  expect([await held(29.9), await held(32), await held(33.9), await held(34.1)]).toEqual([
    true,
    true,
    true,
    false,
  ]);
  const has = () =>
    shop.db
      .selectFrom('static_ip')
      .select('address')
      .where('subscription_id', '=', lou.subscriptionId)
      .executeTakeFirst();
  await lou.at(36.8);
  expect(await has()).toBeDefined();
  await lou.at(37);
  expect(await has()).toBeUndefined();
});

/** Changes the plan of all subscribers during `during`. */
async function withPlan(change: Updateable<Tables['plan']>, during: () => Promise<void>) {
  const solo = shop.db.selectFrom('plan').selectAll().where('id', '=', 'solo');
  const before = await solo.executeTakeFirstOrThrow();
  const plan = shop.db.updateTable('plan').where('id', '=', 'solo');
  await plan.set(change).execute();
  try {
    await during();
  } finally {
    await plan.set(before).execute();
  }
}

// Regression: it had the plan's current price and its former entitlements.
test('a reactivation gives the entitlements that the plan had when it was ordered', async () => {
  const nia = await subscriber(shop, 'nia');
  const id = nia.subscriptionId;
  for (const name of ['phone', 'laptop']) {
    shop.clock.advance(1000);
    await nia.client.subscription.addKey({ body: { subscriptionId: id, name } });
  }
  await nia.client.subscription.cancelSubscription({ body: { id } });
  await nia.at(1);
  const client = await nia.now();
  await withPlan({ devices: 1, rate_mbit: 80 }, async () => {
    const consent = await order(client, nia);
    await withPlan({ devices: 9 }, async () => {
      await buy(client, consent);
      await active(nia);
    });
  });
  const { data } = await client.subscription.getSubscription({ query: { id } });
  expect(data).toMatchObject({ devices: 1, rateMbit: 80 });
  expect(data!.keys.map(({ name }) => name)).toEqual(['phone']);
});

// Regression: the page and three emails offered a reactivation whose product no longer existed.
test('a customer whose address is reserved reactivates a product that is no longer sold; others are told first', async () => {
  const oda = await lapsed('oda', 1);
  const client = await oda.now();
  await withPlan({ active: false, devices: 9 }, async () => {
    const { renewal } = await oda.row();
    const { data } = await offered(client, oda);
    expect([data!.total.price, data!.product.devices]).toEqual([renewal, 2]);
    await buy(client, await order(client, oda));
    await active(oda);
  });
  // The VAT rate is that of the day, whatever the customer paid before.
  const qi = await lapsed('qi', 1);
  await withPlan({ active: false }, async () => {
    await shop.db.updateTable('vat_rate').set({ rate_bp: 1000 }).execute();
    const { data } = await offered(await qi.now(), qi);
    const { renewal } = await qi.row();
    await shop.db.updateTable('vat_rate').set({ rate_bp: 700 }).execute();
    expect(data).toMatchObject({ total: { price: renewal }, vatRate: 0.1 });
  });
  const pia = await lapsed('pia', 38);
  const hers = await pia.now();
  await withPlan({ active: false }, async () => expect((await offered(hers, pia)).code).toBe('6004'));
  const isFull = async () => (await offered(hers, pia)).data!.full === true;
  expect(await isFull()).toBe(false);
  const isLeft = async (draining: boolean) => {
    await shop.db.updateTable('host').set({ draining }).where('id', '=', 'bkk-1').execute();
    await shop.db
      .updateTable('offer')
      .set({ waiting_list: !draining })
      .where('region_id', '=', 'th-bkk')
      .execute();
  };
  await isLeft(true);
  try {
    expect(await isFull()).toBe(true);
  } finally {
    await isLeft(false);
  }
});

test("an address in a retired host's range is promised to nobody: another one comes", async () => {
  const rex = await lapsed('rex', 1);
  const client = await rex.now();
  const before = await addressOf(client, rex);
  await sql`insert into host (id, provider_id, region_id, vendor_id, status, dns)
    select 'gone', provider_id, region_id, vendor_id, 'retired', dns from host where id = 'bkk-1'`.execute(
    shop.db,
  );
  await sql`insert into address_pool (id, prefix, provider_id, region_id, vendor_id, host_id)
    select '192.0.2.0/30', '192.0.2.0/30', provider_id, region_id, vendor_id, id from host where id = 'gone'`.execute(
    shop.db,
  );
  const moved = { pool_id: '192.0.2.0/30' };
  await shop.db
    .updateTable('static_ip')
    .set(moved)
    .where('subscription_id', '=', rex.subscriptionId)
    .execute();
  expect((await offered(client, rex)).data!.held).toBeUndefined();
  await buy(client, await order(client, rex));
  await active(rex);
  expect(await addressOf(client, rex)).not.toBe(before);
  expect((await rex.message(/is running again/)).Text).toContain('Each device needs a new file');
});

test("FV25 an address that is now the host's own is promised to nobody", async () => {
  const otto = await lapsed('otto', 1);
  const client = await otto.now();
  const before = await addressOf(client, otto);
  const own = (addresses: string[]) =>
    shop.db.updateTable('host').set({ own_addresses: addresses }).where('id', '=', 'bkk-1').execute();
  await own([before!]);
  shop.host.setOwnAddresses([before!]);
  expect((await offered(client, otto)).data!.held).toBeUndefined();
  await buy(client, await order(client, otto));
  await active(otto);
  expect(await addressOf(client, otto)).not.toBe(before);
  shop.host.setOwnAddresses([]);
  await own([]);
});

test('a second payment pays the period after it', async () => {
  const cleo = await lapsed('cleo', 1);
  const client = await cleo.now();
  const [one, two] = [await order(client, cleo), await order(client, cleo)];
  const second = await client.order.purchaseReactivate({ body: two });
  const socket = await pageOf(two);
  await buy(client, one);
  await active(cleo);
  const { period_end } = await cleo.row();
  await confirmCard(shop, cardPaymentOf(second.data));
  await client.order.confirmPurchase({ body: { metadata: two.metadata } });
  await until(async () => (await cleo.row()).period_end! > period_end!, 'the period after it');
  await until(async () => !socket.connected, 'the end of its socket');
});

describe('a reactivation that is paid twice while it waits for its host', () => {
  /** Pays in two tabs while no host serves it. */
  async function paidTwice(name: string) {
    const person = await lapsed(name, 1);
    shop.host.silence(true);
    const client = await person.now();
    const [one, two] = [await order(client, person), await order(client, person)];
    const second = await client.order.purchaseReactivate({ body: two });
    await buy(client, one);
    await until(async () => (await person.row()).status === 'provisioning', 'it waits');
    await confirmCard(shop, cardPaymentOf(second.data));
    await client.order.confirmPurchase({ body: { metadata: two.metadata } });
    await until(async () => {
      const { data } = await client.order.purchaseData({ body: { metadata: two.metadata } });
      return data!.status === 'fulfilled';
    }, 'the second order');
    return { ...person, client };
  }
  afterEach(() => shop.host.silence(false));

  test('gives the next period for the second payment, counted from its start', async () => {
    const hope = await paidTwice('hope');
    shop.host.silence(false);
    shop.clock.advance(60_000);
    await active(hope);
    const [, first, second] = await hope.periods();
    expect(second!.starts_at).toEqual(first!.ends_at);
    expect((await hope.row()).period_end).toEqual(second!.ends_at);
    expect((await hope.message(/is running again/)).Text).toContain(
      'the files on your devices work as before',
    );
  });

  test('refunds both periods to a customer who withdraws before it is active', async () => {
    const ivo = await paidTwice('ivo');
    const of = { id: ivo.subscriptionId, country: 'FR' };
    const back = (await ivo.client.subscription.withdrawal({ query: of })).data!;
    expect(back.money).toBe(2 * (await ivo.invoices()).at(-1)!.total);
    expect((await ivo.client.subscription.withdraw({ body: { ...of, back } })).code).toBe('0000');
    expect((await ivo.row()).status).toBe('expired');
    await shop.sweep();
    expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);
  });
});

// Regression: a month of the dearest plan cost the price of the cheapest.
test('a second reactivation that is paid after a plan change becomes credit, and buys no period of the dearer plan', async () => {
  const tom = await lapsed('tom', 0);
  const client = await tom.now();
  const [first, second] = [await order(client, tom), await order(client, tom)];
  const secrets = [];
  for (const body of [first, second])
    secrets.push(cardPaymentOf((await client.order.purchaseReactivate({ body })).data));
  await confirmCard(shop, secrets[0]!);
  await client.order.confirmPurchase({ body: { metadata: first.metadata } });
  await active(tom);
  await buyPlan(client, await orderPlan(client, tom, 'team'));
  await until(async () => (await tom.row()).devices === 15, 'the dearer plan');
  const before = await tom.periods();
  await confirmCard(shop, secrets[1]!);
  await client.order.confirmPurchase({ body: { metadata: second.metadata } });
  const state = await until(async () => {
    const { data } = await client.order.purchaseData({ body: { metadata: second.metadata } });
    return data?.status === 'refunded' && data;
  }, 'the credit');
  expect(state.changesPlan).toBe(true);
  expect(await tom.periods()).toEqual(before);
  expect((await client.payment.getCard()).data!.credit).toMatchObject([{ amount: second.price.price }]);
  // Nor does its invoice buy one of a later reactivation.
  await client.subscription.cancelSubscription({ body: { id: tom.subscriptionId } });
  await tom.liveUntil(new Date((await tom.row()).period_end!.getTime() + 60_000));
  await takeUpAgain(shop, tom);
  expect(await tom.periods()).toHaveLength(before.length + 1);
});

test('U68 a customer is told once, three days before the reservation ends; one who is back by then is not', async () => {
  const [fay, gus] = [await subscriber(shop, 'fay'), await subscriber(shop, 'gus')];
  for (const { client, subscriptionId } of [fay, gus])
    await client.subscription.cancelSubscription({ body: { id: subscriptionId } });
  await gus.at(0.01);
  const address = await addressOf(await gus.now(), gus);
  await takeUpAgain(shop, fay);
  await gus.at(26.9);
  expect(await gus.emails(/only until/)).toBe(0);
  await gus.at(27.1);
  const message = await gus.message(/get it back/);
  expect(message.Subject).toContain(`We keep ${address} for you only until`);
  expect(message.Text).toContain('the same address and the same files work again');
  await gus.at(28);
  expect([await gus.emails(/only until/), await fay.emails(/only until/)]).toEqual([1, 0]);
});

test("a subscription that is active, another customer's or waiting for its host is not reactivated", async () => {
  const dan = await subscriber(shop, 'dan');
  const eva = await lapsed('eva', 0);
  const client = await dan.now();
  expect((await offered(client, dan)).code).toBe('4003');
  expect((await offered(client, eva)).code).toBe('6006');
  const hers = await order(await eva.now(), eva);
  expect((await client.order.purchaseReactivate({ body: hers })).code).toBe('6006');
  expect((await (await eva.now()).order.purchaseLogin({ body: hers })).code).toBe('7004');
  const status = ({ subscriptionId }: Subscriber, to: 'provisioning' | 'active') =>
    shop.db.updateTable('subscription').set({ status: to }).where('id', '=', subscriptionId).execute();
  await status(dan, 'provisioning');
  expect((await offered(client, dan)).code).toBe('4002');
  await status(dan, 'active');
  // It was reactivated in another tab meanwhile.
  await buy(await eva.now(), await order(await eva.now(), eva));
  await active(eva);
  const again = async () => (await (await eva.now()).order.purchaseReactivate({ body: hers })).code;
  expect(await again()).toBe('4003');
  await status(eva, 'provisioning');
  expect(await again()).toBe('4002');
  await status(eva, 'active');
});

test('the books balance afterwards', async () => {
  await shop.sweep();
  expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);
});
