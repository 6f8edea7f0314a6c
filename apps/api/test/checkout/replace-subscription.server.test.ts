import { parseMetadata } from '@fixpoint/contract/metadata.ts';
import { COLLECT_MS } from '@fixpoint/domain/email/collecting.ts';
import { beginOrder, cardPaymentOf, confirmCard, until } from '@fixpoint/testkit/buyer.ts';
import type { TestClient } from '@fixpoint/testkit/client.ts';
import { sellInYen } from '@fixpoint/testkit/load-test/load-test.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { checkDatabase } from '../../src/modules/books/index.ts';
import { confirmedCommand } from '../helpers/shop-command.ts';
import { followed, leaveAlone, subscriber, takeUpAgain } from '../subscription/renewing.ts';
import { leftOf, orderElsewhere } from './replacing.ts';
import { buyPlan, orderPlan } from './upgrading.ts';

const PRICE = 199_00;
const THB = { currency: 'THB' };
let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop({ WITHDRAWAL: 'DE:days,FR:full' });
});
afterEach(async () => {
  shop.host.silence(false);
  shop.clock.advance(60_000);
  await shop.sweep();
  expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);
  await leaveAlone(shop);
});
afterAll(() => shop?.stop());

type Bought = { metadata: string };

const stateOf = async (client: TestClient, { metadata }: Bought) =>
  (await client.order.purchaseData({ body: { metadata } })).data!;
const creditOf = async (client: TestClient) => (await client.payment.getCard()).data!.credit[0]?.amount ?? 0;
const detail = async (client: TestClient, id: string) =>
  (await client.subscription.getSubscription({ query: { id } })).data!;
const events = async (client: TestClient, id: string) =>
  (await detail(client, id)).history.map(({ event }) => event);

const bought = (client: TestClient, order: Bought) =>
  until(async () => (await stateOf(client, order)).subscription, 'the new one');
const running = (client: TestClient, order: Bought) =>
  until(async () => {
    const { subscription } = await stateOf(client, order);
    return subscription?.status === 'active' && subscription;
  }, 'the new one runs');

test('a replacement costs the difference; the old subscription serves until the new one is active, and ends then', async () => {
  const anna = await subscriber(shop, 'anna');
  await anna.at(-10.5);
  const client = await anna.now();
  const { period_start } = await anna.row();
  const all = Math.round((anna.firstEnd.getTime() - period_start!.getTime()) / (24 * 60 * 60_000));
  const unused = Math.round((PRICE * 10) / all);
  expect((await leftOf(client, anna)).data).toMatchObject({ ...THB, days: 10, unused });
  const before = await detail(client, anna.subscriptionId);
  expect(before.allowedActions).toContain('replace');

  shop.host.silence(true);
  const order = await orderElsewhere(client, anna);
  const paid = await buyPlan(client, order);
  expect(paid.data).toMatchObject({ total: { price: order.price.price }, prorated: unused });
  const { id } = await bought(client, order);
  expect(await anna.taken()).toContain(order.price.price - unused);
  // Until then the old one is active, and nobody can use its days twice.
  const waiting = await detail(client, anna.subscriptionId);
  expect(waiting).toMatchObject({ status: 'active', address: before.address, replacedBy: id });
  expect(waiting.allowedActions).toEqual(['addKey', 'adjustBandwidth']);
  expect(waiting.withdrawal).toBeUndefined();
  const undo = { body: { id: anna.subscriptionId, undo: true } };
  expect((await client.subscription.cancelSubscription(undo)).code).toBe('7004');
  expect((await leftOf(client, anna)).code).toBe('7004');
  const of = { id: anna.subscriptionId, country: 'FR' };
  expect((await client.subscription.withdrawal({ query: of })).code).toBe('7004');

  shop.host.silence(false);
  shop.clock.advance(60_000);
  const { address } = await running(client, order);
  expect(address).not.toBe(before.address);
  expect(await detail(client, anna.subscriptionId)).toMatchObject({
    status: 'expired',
    periodEnd: shop.clock.now().toISOString(),
    replacedBy: id,
  });
  expect(await events(client, anna.subscriptionId)).toEqual(['retire', 'replace', 'activate']);
  expect((await detail(client, id)).cycleCount).toBe(3);
  // It may have company: both subscriptions are the customer's.
  shop.clock.advance(COLLECT_MS);
  await shop.sweep();
  expect(await anna.message(/has ended, and its configuration files no longer connect/)).toBeTruthy();
  expect(await anna.message(/pays for the subscription that replaces this one/)).toBeTruthy();
  expect(await creditOf(await anna.now())).toBe(0);
  // It has no next renewal.
  await anna.at(3);
  expect((await anna.invoices()).map(({ purpose }) => purpose)).toEqual(['purchase']);

  // A refund goes back as it was paid: money as money, days as credit.
  const again = await anna.now();
  const back = { ...THB, money: order.price.price - unused, credit: unused };
  expect((await again.subscription.withdrawal({ query: { id, country: 'FR' } })).data).toEqual(back);
  expect((await again.subscription.withdraw({ body: { id, country: 'FR', back } })).data).toEqual(back);
  expect(await creditOf(again)).toBe(unused);
});

test('a replacement that is cheaper than the rest costs nothing, and the surplus is credit', async () => {
  const ben = await subscriber(shop, 'ben');
  const client = await ben.now();
  await buyPlan(client, await orderPlan(client, ben, 'team'));
  await until(async () => (await ben.row()).devices === 15, 'the bigger plan');
  const { unused } = (await leftOf(client, ben)).data!;
  const taken = (await ben.taken()).length;
  const order = await orderElsewhere(client, ben, { planId: 'solo' });
  const cheap = unused > order.price.price;
  const { code } = cheap ? await client.order.purchaseLogin({ body: order }) : await buyPlan(client, order);
  expect(code).toBe('0000');
  const { id } = await running(client, order);
  expect(cheap).toBe(true);
  expect((await ben.taken()).length).toBe(taken);
  expect(await creditOf(client)).toBe(unused - order.price.price);
  // And once more, with what credit notes have left of it.
  const again = (await leftOf(client, { subscriptionId: id })).data!.unused;
  const next = await orderElsewhere(client, { subscriptionId: id }, { cycleCount: 1 });
  expect(next.prorated).toBe(next.price.price);
  await client.order.purchaseLogin({ body: next });
  const last = await running(client, next);
  expect(await creditOf(client)).toBe(unused - order.price.price + again - next.price.price);
  // It renews as its days were paid: days paid with coins mean manual renewal, whatever card is saved.
  expect((await detail(client, last.id)).byHand).toBe(false);
  const { customer_id } = await ben.row();
  await shop.db
    .updateTable('attempt')
    .set({ method: 'bitcoin' })
    .where('customer_id', '=', customer_id)
    .execute();
  expect((await detail(client, last.id)).byHand).toBe(true);
});

test("of replacements paid in two windows at once one takes place; the other's money is credit, and no more than that", async () => {
  const cleo = await subscriber(shop, 'cleo');
  const client = await cleo.now();
  const orders = [await orderElsewhere(client, cleo), await orderElsewhere(client, cleo)];
  const answers = [];
  for (const body of orders) answers.push(await client.order.purchaseLogin({ body }));
  await Promise.all(answers.map(({ data }) => confirmCard(shop, cardPaymentOf(data))));
  // Each is pressed twice.
  const all = [...orders, ...orders];
  await Promise.all(all.map(({ metadata }) => client.order.confirmPurchase({ body: { metadata } })));
  const stand = async () => Promise.all(orders.map(order => stateOf(client, order)));
  await until(async () => (await stand()).every(({ status }) => /fulfilled|refunded/.test(status)), 'both');
  const [made, late] = (await stand()).toSorted((one, other) => one.status.localeCompare(other.status));
  expect([made!.status, late!.status]).toEqual(['fulfilled', 'refunded']);
  expect(late!.subscription).toBeUndefined();
  await until(async () => (await cleo.row()).status === 'expired', 'the end of the old one');
  const { price, prorated } = orders[0]!;
  expect((await cleo.taken()).filter(amount => amount === price.price - prorated)).toHaveLength(2);
  expect(await creditOf(client)).toBe(price.price - prorated);
  expect((await client.subscription.mySubscription({ body: {} })).data!.total).toBe(2);
});

type Subscriber = Awaited<ReturnType<typeof subscriber>>;
/** Events of the old subscription while the new one is being paid, with the resulting refund. */
const meanwhile: [string, (old: Subscriber, client: TestClient) => Promise<number>, string][] = [
  [
    'a part of its money was given back',
    async old => {
      const { number } = (await old.invoices())[0]!;
      const part = ['refund', number!, '--amount', '50', '--reason', 'Host was down'];
      await confirmedCommand(shop, ...part);
      return 50_00;
    },
    'active',
  ],
  [
    'it was withdrawn from',
    async ({ subscriptionId: id }, client) => {
      const back = { ...THB, money: PRICE, credit: 0 };
      await client.subscription.withdraw({ body: { id, country: 'FR', back } });
      return PRICE;
    },
    'expired',
  ],
  [
    'it was turned off',
    async ({ subscriptionId: id }, client) => {
      await client.subscription.cancelSubscription({ body: { id } });
      return 0;
    },
    'active',
  ],
];
test.each(meanwhile)(
  'a replacement paid when %s becomes credit, and pays nothing twice',
  async (_, happens, status) => {
    const lou = await subscriber(shop, `lou-${meanwhile.findIndex(([, one]) => one === happens)}`);
    const client = await lou.now();
    const order = await orderElsewhere(client, lou);
    const answer = await client.order.purchaseLogin({ body: order });
    const back = await happens(lou, client);
    // Nobody can pay for it after that.
    expect((await client.order.purchaseLogin({ body: order })).code).toMatch(/7004|400[23]/);
    await confirmCard(shop, cardPaymentOf(answer.data));
    await client.order.confirmPurchase({ body: { metadata: order.metadata } });
    await until(async () => (await stateOf(client, order)).status === 'refunded', 'the order');
    expect(await creditOf(client)).toBe(order.price.price - order.prorated);
    await shop.sweep();
    const row = await lou.row();
    expect([row.status, row.replaced_by]).toEqual([status, null]);
    const refunds = await shop.db
      .selectFrom('refund')
      .select(({ fn }) => fn.sum<number>('amount').as('sum'))
      .where('customer_id', '=', row.customer_id)
      .executeTakeFirstOrThrow();
    expect(Number(refunds.sum)).toBe(back);
  },
);

test('a replacement paid after a renewal becomes credit, and the subscription continues', async () => {
  const dan = await subscriber(shop, 'dan');
  await dan.at(-1.2);
  const client = await dan.now();
  const order = await orderElsewhere(client, dan);
  const answer = await client.order.purchaseLogin({ body: order });
  await dan.at(-0.9);
  await until(async () => (await dan.periods()).length === 2, 'the next period');
  await confirmCard(shop, cardPaymentOf(answer.data));
  await client.order.confirmPurchase({ body: { metadata: order.metadata } });
  await until(async () => (await stateOf(client, order)).status === 'refunded', 'the order');
  const late = await dan.now();
  expect(await creditOf(late)).toBe(order.price.price - order.prorated);
  expect(await dan.row()).toMatchObject({ status: 'active', cancel_at_period_end: false });
  // A period that is paid ahead counts in full.
  const { days, unused } = (await leftOf(late, dan)).data!;
  expect([days >= 28, unused]).toEqual([true, PRICE]);
});

test('a withdrawal while the replacement waits for its host refunds everything, and the old subscription ends', async () => {
  const eva = await subscriber(shop, 'eva');
  const client = await eva.now();
  shop.host.silence(true);
  const order = await orderElsewhere(client, eva);
  await buyPlan(client, order);
  const { id } = await bought(client, order);
  const { price, prorated } = order;
  const back = { ...THB, money: price.price - prorated, credit: prorated };
  expect((await client.subscription.withdraw({ body: { id, country: 'DE', back } })).data).toEqual(back);
  expect((await eva.row()).status).toBe('expired');
  // The day that had begun is used.
  expect([prorated < PRICE, await creditOf(client)]).toEqual([true, prorated]);
});

test('a subscription that ends while its replacement waits is not charged, and can be reactivated beside it', async () => {
  const hal = await subscriber(shop, 'hal');
  await hal.at(-1.2);
  const client = await hal.now();
  shop.host.silence(true);
  const order = await orderElsewhere(client, hal);
  await buyPlan(client, order);
  await bought(client, order);
  const taken = await hal.taken();
  await hal.at(0.1);
  expect((await hal.row()).status).toBe('expired');
  expect(await hal.taken()).toEqual(taken);
  shop.host.silence(false);
  await takeUpAgain(shop, hal);
  const late = await hal.now();
  const { id } = await running(late, order);
  expect(await hal.row()).toMatchObject({ status: 'active', replaced_by: null });
  expect((await detail(late, id)).status).toBe('active');
  expect(await creditOf(late)).toBe(0);
});

// Regression: the surplus was credit at once, and the old subscription served to its last day.
test('a subscription is not replaced at a full place, where its paid-back days would be served meanwhile', async () => {
  const lea = await subscriber(shop, 'lea');
  const client = await lea.now();
  const isFull = (draining: boolean) => shop.db.updateTable('host').set({ draining }).execute();
  const [early, late] = [await orderElsewhere(client, lea), await orderElsewhere(client, lea)];
  await isFull(true);
  try {
    expect((await buyPlan(client, early)).code).toBe('6004');
    const { productId } = parseMetadata(early.metadata)!;
    const body = { productId, currency: 'THB', replaces: lea.subscriptionId };
    expect((await client.order.getMetaData({ body })).code).toBe('6004');
    await isFull(false);
    // The last address is sold between submission and payment.
    const bought = await client.order.purchaseLogin({ body: late });
    await isFull(true);
    await confirmCard(shop, cardPaymentOf(bought.data));
    await client.order.confirmPurchase({ body: { metadata: late.metadata } });
    await until(async () => (await stateOf(client, late)).status === 'refunded', 'the credit');
  } finally {
    await isFull(false);
  }
  expect(await creditOf(client)).toBe(late.price.price - late.prorated);
  expect(await lea.row()).toMatchObject({ status: 'active', replaced_by: null });
});

test('all amounts are whole in a currency without a minor unit', async () => {
  await sellInYen(shop.db);
  const kai = await shop.customer('kai');
  const { consent, metadata } = await beginOrder(kai.client, { currency: 'JPY' });
  const { data } = await kai.client.order.purchaseLogin({ body: consent });
  await confirmCard(shop, cardPaymentOf(data));
  await kai.client.order.confirmPurchase({ body: { metadata } });
  const { id } = await running(kai.client, { metadata });
  const yen = await followed(shop, { ...kai, subscriptionId: id });
  await yen.at(-10.5);
  const client = await yen.now();
  const order = await orderElsewhere(client, yen);
  await buyPlan(client, order);
  const made = await running(client, order);
  expect([order.prorated > 0, order.prorated % 100]).toEqual([true, 0]);
  const of = { id: made.id, country: 'FR' };
  const back = { currency: 'JPY', money: order.price.price - order.prorated, credit: order.prorated };
  expect((await client.subscription.withdraw({ body: { ...of, back } })).data).toEqual(back);
  const { credit } = (await client.payment.getCard()).data!;
  expect(credit).toEqual([{ currency: 'JPY', amount: order.prorated, goodwill: [] }]);
});

test('a fault on the way leaves the old subscription as it is, and the replacement completes later', async () => {
  const fay = await subscriber(shop, 'fay');
  const client = await fay.now();
  const order = await orderElsewhere(client, fay);
  const failing = (when: string) =>
    sql
      .raw(`
      create function fails() returns trigger language plpgsql as $$ begin raise exception 'fails'; end $$;
      create trigger fails ${when} execute function fails()`)
      .execute(shop.db);
  const resolved = () => sql`drop function fails cascade`.execute(shop.db);

  await failing("before insert on subscription_history for each row when (new.command = 'replace')");
  await buyPlan(client, order);
  await until(async () => (await stateOf(client, order)).status === 'paid', 'it is paid');
  await new Promise(done => setTimeout(done, 500));
  expect((await stateOf(client, order)).subscription).toBeUndefined();
  expect(await fay.row()).toMatchObject({ status: 'active', cancel_at_period_end: false, replaced_by: null });
  await resolved();

  await failing("before insert on subscription_history for each row when (new.command = 'retire')");
  shop.clock.advance(2 * 60_000);
  await shop.runTasks();
  const { id } = await bought(client, order);
  await new Promise(done => setTimeout(done, 500));
  expect((await stateOf(client, order)).subscription).toMatchObject({ id, status: 'provisioning' });
  expect((await fay.row()).status).toBe('active');
  await resolved();
  shop.clock.advance(2 * 60_000);
  await shop.sweep();
  await running(client, order);
  expect((await fay.row()).status).toBe('expired');
  expect((await fay.taken()).length).toBe(2);
});

test("a subscription that is off, past due, another customer's, a guest's or a mere plan change is not replaced", async () => {
  const gus = await subscriber(shop, 'gus');
  const ida = await subscriber(shop, 'ida');
  const client = await gus.now();
  expect((await leftOf(client, ida)).code).toBe('6006');
  const { product } = (await leftOf(client, gus)).data!;
  const { cycleCount, providerId, regionId, vendorId } = product;
  const choice = { planId: 'team', cycleCount, providerId, regionId, vendorId, currency: 'THB' };
  const bigger = (await client.order.getProduct({ body: choice })).data!.product;
  const begin = (one: TestClient, replaces: string) =>
    one.order.getMetaData({ body: { productId: bigger.id, currency: 'THB', replaces } });
  expect((await begin(client, gus.subscriptionId)).code).toBe('6004');
  expect((await begin(shop.client, gus.subscriptionId)).code).toBe('6006');
  const order = await orderElsewhere(client, gus);
  expect((await (await ida.now()).order.purchaseLogin({ body: order })).code).toBe('6006');
  expect((await client.order.purchaseReactivate({ body: order })).code).toBe('7004');
  expect((await client.order.purchaseLogin({ body: { ...order, prorated: 1 } })).code).toBe('7004');
  await client.subscription.cancelSubscription({ body: { id: gus.subscriptionId } });
  expect((await leftOf(client, gus)).code).toBe('7004');
  expect((await buyPlan(client, order)).code).toBe('7004');
  await ida.cardIs('pm_card_chargeCustomerFail');
  await ida.at(0.1);
  expect((await leftOf(await ida.now(), ida)).code).toBe('7004');
});
