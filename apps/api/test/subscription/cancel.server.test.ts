import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { checkDatabase } from '../../src/modules/books/index.ts';
import { leaveAlone, subscriber } from './renewing.ts';

const DAY_MS = 24 * 60 * 60_000;

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop?.stop());
afterEach(() => leaveAlone(shop));

test('FU1 renewal is turned off with a reason, and on again until the last day, each with an email', async () => {
  const anna = await subscriber(shop, 'anna');
  const id = anna.subscriptionId;
  const cancel = async (body: object) =>
    (await anna.now()).subscription.cancelSubscription({ body: { id, ...body } as { id: string } });
  const off = await cancel({ reasons: ['tooExpensive', 'other'], comment: '  Moving away ' });
  expect(off.data).toEqual({ cancelAtPeriodEnd: true, periodEnd: anna.firstEnd.toISOString() });
  // Pressed twice, with the same result.
  expect((await cancel({ reasons: ['other'] })).data?.cancelAtPeriodEnd).toBe(true);
  expect(await shop.db.selectFrom('cancellation').select(['reasons', 'comment']).execute()).toEqual([
    { reasons: ['tooExpensive', 'other'], comment: 'Moving away' },
  ]);
  expect((await anna.message(/is cancelled/)).Text).toContain('won’t renew');
  const on = await cancel({ undo: true });
  expect(on.data?.cancelAtPeriodEnd).toBe(false);
  expect((await anna.message(/is on again/)).Text).toContain('renews again');
  // Turning it off needs no reason.
  expect((await cancel({})).code).toBe('0000');
  await anna.at(-1);
  expect(await anna.taken()).toHaveLength(1);
  expect((await anna.row()).status).toBe('active');
  await anna.at(0);
  expect((await anna.row()).status).toBe('expired');
  expect(await anna.message(/has ended/)).toBeTruthy();
  const ended = (await (await anna.now()).subscription.getSubscription({ query: { id } })).data!;
  expect(ended.paid).toMatchObject({ currency: 'THB', until: anna.firstEnd.toISOString() });
  // The address is reserved for 30 days, which the page says beside it.
  expect(ended.addressHeldUntil).toBe(new Date(anna.firstEnd.getTime() + 30 * DAY_MS).toISOString());
  expect(ended.history.filter(({ event }) => event === 'cancel')).toMatchObject([
    { day: anna.firstEnd.toISOString() },
    { day: anna.firstEnd.toISOString() },
  ]);
  const over = { code: '7004', data: { fields: { id: 'subscription.ended' } } };
  expect(await cancel({ undo: true })).toMatchObject(over);
});

test('U68 a customer who turned renewal off gets an email a week before the end, unless they did so later than that', async () => {
  const ida = await subscriber(shop, 'ida');
  const max = await subscriber(shop, 'max');
  const cancel = async (person: typeof ida, undo: boolean) =>
    (await person.now()).subscription.cancelSubscription({ body: { id: person.subscriptionId, undo } });
  await ida.at(-20);
  await cancel(ida, false);
  await ida.at(-7.1);
  expect(await ida.emails(/ends on/)).toBe(0);
  await ida.at(-6.9);
  expect((await ida.message(/ends on/)).Text).toContain('Choose to keep the plan');
  await cancel(max, false);
  // On again, one reminder names the price of the renewal.
  await cancel(ida, true);
  await ida.at(-2.9);
  await cancel(ida, false);
  await cancel(ida, true);
  await ida.at(-2);
  expect([await ida.emails(/ends on/), await ida.emails(/renews on/)]).toEqual([1, 1]);
  await max.at(0.1);
  expect([await max.emails(/ends on/), await max.emails(/has ended/)]).toEqual([0, 1]);
});

test('a past-due subscription that is cancelled needs no payment any more, and ends', async () => {
  const ben = await subscriber(shop, 'ben');
  await ben.cardIs('pm_card_chargeCustomerFail');
  await ben.at(-0.9);
  expect((await ben.row()).status).toBe('pastDue');
  const id = ben.subscriptionId;
  await (await ben.now()).subscription.cancelSubscription({ body: { id } });
  expect((await ben.invoices()).at(-1)).toMatchObject({ purpose: 'renewal', status: 'void' });
  await ben.at(0.1);
  expect([(await ben.row()).status, await ben.chargeTries()]).toEqual(['expired', 2]);
});

test('FU1 a subscription cancelled after its paid period ends at once, and page and email say so', async () => {
  const gil = await subscriber(shop, 'gil');
  const id = gil.subscriptionId;
  const isOverdue = async () =>
    (await (await gil.now()).subscription.getSubscription({ query: { id } })).data!.overdue;
  await gil.cardIs('pm_card_chargeCustomerFail');
  await gil.at(-0.9);
  expect([(await gil.row()).status, await isOverdue()]).toEqual(['pastDue', false]);
  await gil.at(1.5);
  expect(await isOverdue()).toBe(true);
  await (await gil.now()).subscription.cancelSubscription({ body: { id } });
  await shop.sweep();
  expect([(await gil.row()).status, await isOverdue()]).toEqual(['expired', false]);
  const { history } = (await (await gil.now()).subscription.getSubscription({ query: { id } })).data!;
  // No last day was left.
  expect(history.find(({ event }) => event === 'cancel')).toEqual({
    at: expect.any(String),
    event: 'cancel',
  });
  const message = await gil.message(/is cancelled/);
  expect(message.Text).toContain('so it ends now');
  expect(message.Text).not.toMatch(/until then/i);
});

test('X27 a declined payment of a renewal is closed with it, days later too', async () => {
  const fay = await subscriber(shop, 'fay');
  await fay.cardIs('pm_card_chargeCustomerFail');
  await fay.at(-0.5);
  await fay.at(1.5);
  expect((await fay.row()).status).toBe('pastDue');
  await (await fay.now()).subscription.cancelSubscription({ body: { id: fay.subscriptionId } });
  await shop.sweep();
  expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);
});

test('a subscription cancelled after the charge lasts until the end of the paid period', async () => {
  const cleo = await subscriber(shop, 'cleo');
  await cleo.at(-0.9);
  const { period_end } = await cleo.row();
  const client = await cleo.now();
  const { data } = await client.subscription.cancelSubscription({ body: { id: cleo.subscriptionId } });
  expect(data?.periodEnd).toBe(period_end!.toISOString());
  await cleo.at(1);
  expect((await cleo.row()).status).toBe('active');
});

test("an unknown subscription or another customer's is not found", async () => {
  const dan = await subscriber(shop, 'dan');
  const eva = await subscriber(shop, 'eva');
  for (const id of [dan.subscriptionId, 'sub_00000000000000000000']) {
    const answer = await eva.client.subscription.cancelSubscription({ body: { id } });
    expect(answer.code).toBe('6006');
  }
});

test('the books balance afterwards', async () => {
  expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);
});
