import { cardPaymentOf, confirmCard, until } from '@fixpoint/testkit/buyer.ts';
import type { TestClient } from '@fixpoint/testkit/client.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { checkDatabase } from '../../src/modules/books/index.ts';
import { confirmedCommand } from '../helpers/shop-command.ts';
import { leaveAlone, subscriber } from '../subscription/renewing.ts';
import { buyPlan, type Consent, orderPlan, previewPlan } from './upgrading.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop?.stop());
afterEach(() => leaveAlone(shop));
afterEach(() => shop.sandbox.calm());

type Subscriber = Awaited<ReturnType<typeof subscriber>>;

const statusOf = async (client: TestClient, { metadata }: Consent) =>
  (await client.order.purchaseData({ body: { metadata } })).data!.status;

const onPlan = (person: Subscriber, devices: number) =>
  until(async () => (await person.row()).devices === devices, `a plan with ${devices} devices`);

const detail = async (client: TestClient, { subscriptionId: id }: Subscriber) =>
  (await client.subscription.getSubscription({ query: { id } })).data!;

const creditOf = async (client: TestClient) => (await client.payment.getCard()).data!.credit[0]?.amount ?? 0;

const plans = async (client: TestClient) => {
  const { data } = await client.order.getAllPlan({ query: { currency: 'THB' } });
  const price = (id: string, cycle: number) =>
    data!.plans.find(plan => plan.id === id)!.prices.find(({ cycleCount }) => cycleCount === cycle)!;
  return price;
};

test('an upgrade costs what the preview says; place, address, keys and renewal date stay', async () => {
  const anna = await subscriber(shop, 'anna');
  await anna.at(-10.5);
  const client = await anna.now();
  await client.subscription.addKey({ body: { subscriptionId: anna.subscriptionId, name: 'phone' } });
  const before = await until(async () => {
    const found = await detail(client, anna);
    return found.keys.every(key => !key.settingUp) && found;
  }, 'the key is set up');
  const offered = (await previewPlan(client, anna, 'team')).data!;
  const { now } = offered.change!;
  expect(now!.days).toBe(11);
  expect(offered.total.price).toBe(now!.price - now!.unused);
  expect(offered.renewsAt).toBe(before.periodEnd);
  // U61: the renewal is charged on that day.
  expect(offered.billedAt).toBe(before.billedAt);
  const consent = await orderPlan(client, anna, 'team');
  expect((await buyPlan(client, consent)).code).toBe('0000');
  await onPlan(anna, 15);
  expect((await anna.taken()).filter(amount => amount === offered.total.price)).toHaveLength(1);
  const { address, keys, periodEnd, region, renewal } = await detail(client, anna);
  expect({ address, keys, periodEnd, region }).toEqual({
    address: before.address,
    keys: before.keys,
    periodEnd: before.periodEnd,
    region: before.region,
  });
  expect(renewal.price).toBe((await plans(client))('team', before.cycleCount).renewal);
  expect((await anna.row()).rate_mbit).toBe(300);
  const [, upgrade] = await anna.invoices();
  expect(upgrade).toMatchObject({ purpose: 'upgrade', status: 'paid', total: offered.total.price });
  const invoice = (await client.billing.getBilling({ params: { id: upgrade!.id } })).data!;
  expect(invoice.lines.map(({ text, amount }) => [text.kind, text.days, amount.price])).toEqual([
    ['days', 11, now!.price],
    ['unused', 11, -now!.unused],
  ]);
  expect(await anna.message(/has the Team plan from now on/)).toBeTruthy();
  // The renewal has the new price.
  await anna.at(0);
  expect((await anna.invoices()).at(-1)).toMatchObject({ purpose: 'renewal', total: renewal.price });
});

test('an upgrade pressed twice and in two windows is charged once; the other payment becomes credit', async () => {
  const ben = await subscriber(shop, 'ben');
  const client = await ben.now();
  const [one, two] = [await orderPlan(client, ben, 'team'), await orderPlan(client, ben, 'team')];
  const other = await client.order.purchaseLogin({ body: two });
  await Promise.all([buyPlan(client, one), buyPlan(client, one)]);
  await onPlan(ben, 15);
  expect((await ben.taken()).length).toBe(2);
  await until(async () => (await statusOf(client, one)) === 'fulfilled', 'the order');
  // Begun before, paid after.
  await confirmCard(shop, cardPaymentOf(other.data));
  await client.order.confirmPurchase({ body: { metadata: two.metadata } });
  await until(async () => (await statusOf(client, two)) === 'refunded', 'the second order');
  expect(await creditOf(client)).toBe(two.price.price);
  expect(await ben.message(/is now credit in your/)).toBeTruthy();
  // A third one is refused.
  expect((await client.order.purchaseLogin({ body: two })).code).not.toBe('0000');
});

test('an upgrade voids the open invoice of the next period and issues one for the new plan', async () => {
  const cleo = await subscriber(shop, 'cleo');
  await cleo.forgetCard();
  await cleo.at(-6);
  const client = await cleo.now();
  const open = (await cleo.invoices()).at(-1)!;
  expect(open).toMatchObject({ purpose: 'renewal', status: 'open' });
  const consent = await orderPlan(client, cleo, 'team');
  const bought = await client.order.purchaseLogin({ body: consent });
  await confirmCard(shop, cardPaymentOf(bought.data));
  await client.order.confirmPurchase({ body: { metadata: consent.metadata } });
  await onPlan(cleo, 15);
  // The customer has a card again, which is charged on the last day.
  await cleo.at(-0.9);
  await until(async () => (await cleo.periods()).length === 2, 'the next period');
  const { renewal } = await cleo.row();
  const renewals = (await cleo.invoices()).filter(({ purpose }) => purpose === 'renewal');
  expect(renewals.map(({ status, total }) => [status, total])).toEqual([
    ['void', open.total],
    ['paid', renewal],
  ]);
});

test("after the renewal's charge an upgrade covers the next period too, at the new price", async () => {
  const dan = await subscriber(shop, 'dan');
  await dan.at(-0.9);
  await until(async () => (await dan.periods()).length === 2, 'the next period');
  const client = await dan.now();
  const price = await plans(client);
  const { cycle_count: cycle, renewal } = await dan.row();
  const { now } = (await previewPlan(client, dan, 'team')).data!.change!;
  expect(now!.days).toBeGreaterThan(28);
  expect(now!.price - now!.unused).toBeGreaterThan(price('team', cycle).renewal - renewal);
  await buyPlan(client, await orderPlan(client, dan, 'team'));
  await onPlan(dan, 15);
  // No other invoice is issued for that period.
  await dan.at(1);
  expect((await dan.invoices()).filter(({ purpose }) => purpose === 'renewal')).toHaveLength(1);
});

test('an upgrade paid after a renewal becomes credit, and the plan stays', async () => {
  const eva = await subscriber(shop, 'eva');
  await eva.at(-1.2);
  const client = await eva.now();
  const consent = await orderPlan(client, eva, 'team');
  const bought = await client.order.purchaseLogin({ body: consent });
  await eva.at(-0.9);
  await until(async () => (await eva.periods()).length === 2, 'the next period');
  const unused = async () => (await previewPlan(await eva.now(), eva, 'team')).data!.change!.now!.unused;
  const before = await unused();
  await confirmCard(shop, cardPaymentOf(bought.data));
  await client.order.confirmPurchase({ body: { metadata: consent.metadata } });
  await until(async () => (await statusOf(client, consent)) === 'refunded', 'the order');
  expect((await eva.row()).devices).not.toBe(15);
  expect(await creditOf(await eva.now())).toBe(consent.price.price);
  // The credit does not change the value of the days for the next change.
  expect(await unused()).toBe(before);
});

test('an upgrade paid during its renewal applies to the next period, or becomes credit', async () => {
  const kim = await subscriber(shop, 'kim');
  await kim.at(-1.01);
  const consent = await orderPlan(await kim.now(), kim, 'team');
  shop.clock.advance(30 * 60_000);
  const client = await kim.now();
  await Promise.all([buyPlan(client, consent), shop.sweep()]);
  await until(async () => /fulfilled|refunded/.test(await statusOf(client, consent)), 'the order');
  const begun = (await statusOf(client, consent)) === 'fulfilled';
  await kim.at(-0.5);
  await until(async () => (await kim.periods()).length === 2, 'the next period');
  const { devices, renewal } = await kim.row();
  expect(devices).toBe(begun ? 15 : 2);
  const renewals = (await kim.invoices()).filter(
    ({ purpose, status }) => purpose === 'renewal' && status === 'paid',
  );
  expect(renewals.map(({ total }) => total)).toEqual([renewal]);
  expect(await creditOf(await kim.now())).toBe(begun ? 0 : consent.price.price);
});

test('a renewal whose charge got no answer is resolved before a plan is paid or scheduled', async () => {
  const lee = await subscriber(shop, 'lee');
  const max = await subscriber(shop, 'max');
  const early = await max.now();
  await buyPlan(early, await orderPlan(early, max, 'plus'));
  await onPlan(max, 5);
  const [leeTook, maxTook] = [(await lee.taken()).length, (await max.taken()).length];
  await shop.sandbox.fault({ path: 'POST /v1/payment_intents' }, 'commitThenDropConnection', 100);
  await shop.sandbox.fault({ list: '/v1/*' }, { late: 60 * 60_000 }, 100);
  await shop.sandbox.fault({ event: '*' }, 'drop', 100);
  await lee.at(-0.99);
  const [lees, maxs] = [await lee.now(), await max.now()];
  const consent = await orderPlan(lees, lee, 'team');
  const plan = () => maxs.subscription.planDowngrade({ body: { id: max.subscriptionId, planId: 'solo' } });
  // Nothing is sold on a guess.
  expect((await buyPlan(lees, consent)).code).toBe('9901');
  expect((await plan()).code).toBe('9901');
  await shop.sandbox.calm();
  expect((await buyPlan(lees, consent)).code).toBe('7004');
  expect((await lee.taken()).length).toBe(leeTook + 1);
  expect((await plan()).code).toBe('0000');
  await max.at(-0.5);
  expect((await max.taken()).length).toBe(maxTook + 1);
  for (const person of [lee, max]) expect((await person.periods()).length).toBe(2);
});

test("a subscription that is past due, off, another customer's or already on the plan is not changed", async () => {
  const fay = await subscriber(shop, 'fay');
  const gus = await subscriber(shop, 'gus');
  const client = await fay.now();
  expect((await previewPlan(client, gus, 'team')).code).toBe('6006');
  expect((await previewPlan(client, fay, 'nothing')).code).toBe('6004');
  const own = await detail(client, fay);
  expect((await previewPlan(client, fay, own.planId)).code).toBe('7004');
  const consent = await orderPlan(client, fay, 'team');
  expect((await (await gus.now()).order.purchaseLogin({ body: consent })).code).toBe('6006');
  expect((await client.order.purchaseReactivate({ body: consent })).code).toBe('7004');
  await client.subscription.cancelSubscription({ body: { id: fay.subscriptionId } });
  expect((await previewPlan(client, fay, 'team')).code).toBe('7004');
  expect((await buyPlan(client, consent)).code).toBe('7004');
  await client.subscription.cancelSubscription({ body: { id: fay.subscriptionId, undo: true } });
  // The offer belongs to another subscription.
  expect((await buyPlan(client, consent)).code).not.toBe('0000');
  await gus.cardIs('pm_card_chargeCustomerFail');
  await gus.at(0.1);
  const owing = await gus.now();
  expect((await gus.row()).status).toBe('pastDue');
  const notNow = { code: '7004', data: { fields: { id: 'subscription.notNow' } } };
  expect(await previewPlan(owing, gus, 'team')).toMatchObject(notNow);
});

test('B14 goodwill credit does not count as paid days, neither before nor after the offer', async () => {
  const jan = await subscriber(shop, 'jan');
  const number = (await jan.invoices())[0]!.number!;
  const giveCredit = async (amount: string) => {
    const part = ['refund', number, '--credit', '--amount', amount, '--reason', 'Host was down'];
    expect(await confirmedCommand(shop, ...part)).toMatchObject({ code: 0 });
  };
  const client = await jan.now();
  const seen = async () => (await previewPlan(client, jan, 'plus')).data!.change!.now!;
  const before = await seen();
  await giveCredit('50');
  expect(await seen()).toEqual({ ...before, unused: before.unused - 50_00 });
  const early = await orderPlan(client, jan, 'plus');
  const late = await orderPlan(client, jan, 'plus');
  const { data: paying } = await client.order.purchaseLogin({ body: { ...late, credit: 50_00 } });
  await giveCredit('149');
  expect(await seen()).toMatchObject({ unused: 0, rest: 0 });
  // An offer from before has another price by now, which the button and the payment check.
  expect(await client.order.purchaseLogin({ body: early })).toMatchObject({ code: '7004' });
  await confirmCard(shop, cardPaymentOf(paying));
  await client.order.confirmPurchase({ body: { metadata: late.metadata } });
  await until(async () => (await statusOf(client, late)) === 'refunded', 'the order');
  expect((await jan.row()).devices).not.toBe(5);
  expect(await creditOf(client)).toBe(149_00 + late.price.price);
});

test('a plan that costs no more than the rest takes no money, and the surplus is credit', async () => {
  const ida = await subscriber(shop, 'ida');
  const client = await ida.now();
  // Its days cost more than the other plan.
  const paid = (await ida.invoices())[0]!.total;
  const costs = (minor: number) =>
    shop.db
      .updateTable('plan_price')
      .set({ price: minor })
      .where('plan_id', '=', 'team')
      .where('cycle_count', '=', 1)
      .where('currency', '=', 'THB')
      .execute();
  const usual = (await plans(client))('team', 1).price;
  await costs(paid - 50_00);
  try {
    const offered = (await previewPlan(client, ida, 'team')).data!;
    expect(offered.total.price).toBe(0);
    expect(offered.change!.now!.rest).toBe(50_00);
    await client.order.purchaseLogin({ body: await orderPlan(client, ida, 'team') });
    await onPlan(ida, 15);
    expect(await creditOf(client)).toBe(50_00);
    expect((await ida.taken()).length).toBe(1);
  } finally {
    await costs(usual);
  }
});

test('a downgrade starts with the next period, surplus keys end then, and it can be cancelled until then', async () => {
  const jim = await subscriber(shop, 'jim');
  const client = await jim.now();
  await buyPlan(client, await orderPlan(client, jim, 'plus'));
  await onPlan(jim, 5);
  const id = jim.subscriptionId;
  for (const name of ['a', 'b', 'c']) {
    shop.clock.advance(1000);
    await client.subscription.addKey({ body: { subscriptionId: id, name } });
  }
  const [a, b] = (await detail(client, jim)).keys.map(key => key.id);
  const limits = [
    { id: a!, rateMbit: 60 },
    { id: b!, rateMbit: 20 },
  ];
  await client.subscription.adjustBw({ body: { id, keys: limits } });
  await client.subscription.forwardPort({ body: { id, forward: { port: 8080, keyId: a! } } });
  const offered = (await previewPlan(client, jim, 'solo')).data!;
  const known = {
    begins: jim.firstEnd.toISOString(),
    surplusKeys: ['c'],
    liftedLimits: ['a'],
    closedPort: 8080,
  };
  expect(offered.change).toMatchObject(known);
  expect(offered.change!.now).toBeUndefined();
  // A downgrade is not bought: there is nothing to pay now.
  const body = { productId: offered.product.id, currency: 'THB', subscriptionId: id };
  expect((await client.order.getMetaData({ body })).code).toBe('6004');
  const plan = (planId: string | null) => client.subscription.planDowngrade({ body: { id, planId } });
  expect((await plan('team')).code).toBe('6004');
  expect((await plan('solo')).data!.planned).toMatchObject({ planId: 'solo' });
  expect((await plan('solo')).code).toBe('0000');
  expect((await plan(null)).data!.planned).toBeNull();
  expect((await jim.message(/taken back the planned change/)).Subject).toContain('stays with the Plus plan');
  expect((await detail(client, jim)).planned).toBeUndefined();
  await plan('solo');
  expect((await detail(client, jim)).renewal.price).toBe(offered.renewal);
  expect(await jim.message(/changes to the Solo plan/)).toBeTruthy();
  await jim.at(-0.5);
  expect((await jim.invoices()).at(-1)).toMatchObject({ status: 'paid', total: offered.renewal });
  const late = await jim.now();
  // The next period is paid, but until it starts nothing changes.
  const paid = await detail(late, jim);
  expect([paid.devices, paid.keys.length, paid.planned?.final]).toEqual([5, 3, true]);
  expect(paid.forward).toEqual({ port: 8080, keyId: a });
  const undo = { body: { id, planId: null } };
  expect((await late.subscription.planDowngrade(undo)).code).toBe('7004');
  await jim.at(0.01);
  await onPlan(jim, 2);
  const after = await detail(await jim.now(), jim);
  const { data: line } = await (await jim.now()).subscription.getBandwidth({ params: { id } });
  expect(line!.keys.map(({ rateMbit }) => rateMbit)).toEqual([undefined, 20]);
  expect([after.forward, after.allowedActions.includes('forwardPort')]).toEqual([undefined, false]);
  expect([after.planId, after.planned, after.keys.map(({ name }) => name)]).toEqual([
    ...['solo', undefined],
    ['a', 'b'],
  ]);
  // The history names plan, price and date.
  const end = (await jim.row()).period_end!.toISOString();
  const renewed = { currency: 'THB', amount: offered.renewal };
  const back = { plans: { from: 'plus', to: 'solo' } };
  expect(after.paid).toEqual({ ...renewed, from: jim.firstEnd.toISOString(), until: end });
  expect(after.history.map(({ at: _, ...one }) => one).slice(0, -1)).toEqual([
    { event: 'downgrade', ...back },
    { event: 'renew', amount: renewed, day: end },
    { event: 'planDowngrade', ...back, day: jim.firstEnd.toISOString() },
    { event: 'undoDowngrade', day: jim.firstEnd.toISOString() },
    { event: 'planDowngrade', ...back, day: jim.firstEnd.toISOString() },
    { event: 'openPort', port: 8080 },
    { event: 'upgrade', plans: { from: 'solo', to: 'plus' } },
  ]);
  expect(after.history.at(-1)).toMatchObject({
    event: 'activate',
    amount: { currency: 'THB' },
    day: jim.firstEnd.toISOString(),
  });
});

// Regression: the catalogue of its start decided, up to a year after the choice.
test('a scheduled plan gives the entitlements of the time of its choice', async () => {
  const mia = await subscriber(shop, 'mia');
  const client = await mia.now();
  await buyPlan(client, await orderPlan(client, mia, 'plus'));
  await onPlan(mia, 5);
  const body = { id: mia.subscriptionId, planId: 'solo' };
  expect((await client.subscription.planDowngrade({ body })).code).toBe('0000');
  const entitlements = (devices: number, rate_mbit: number) =>
    shop.db.updateTable('plan').set({ devices, rate_mbit }).where('id', '=', 'solo').execute();
  await entitlements(1, 10);
  try {
    await mia.at(-0.5);
    await mia.at(0.01);
    await until(async () => (await mia.row()).next_product_id === null, 'the planned plan');
    expect(await mia.row()).toMatchObject({ devices: 2, rate_mbit: 50 });
  } finally {
    await entitlements(2, 50);
  }
});

test('the books balance afterwards', async () => {
  await shop.sweep();
  expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);
});
