import { cardPaymentOf, confirmCard, until } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { checkDatabase } from '../../src/modules/books/index.ts';
import { buyPlan, orderPlan, previewPlan } from '../checkout/upgrading.ts';
import { shopCommand } from '../helpers/shop-command.ts';
import { leaveAlone, subscriber, takeUpAgain } from './renewing.ts';
import { dayOf, repriceCommand } from './repricing.ts';

const OLD = 199_00;
const PLUS = 329_00;
const TEAM = 699_00;
const DAY_MS = 24 * 60 * 60_000;

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop?.stop());
afterEach(async () => {
  await sells('solo', OLD);
  await sells('plus', PLUS);
  await sells('team', TEAM);
  expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);
  await leaveAlone(shop);
});

type Subscriber = Awaited<ReturnType<typeof subscriber>>;

const days = (count: number) => new Date(shop.clock.now().getTime() + count * DAY_MS);
/** Sets the catalogue's monthly price of a plan. */
const sells = (planId: string, price: number) =>
  shop.db
    .updateTable('plan_price')
    .set({ price, renewal: price })
    .where('plan_id', '=', planId)
    .where('cycle_count', '=', 1)
    .where('currency', '=', 'THB')
    .execute();
const reprice = (...args: string[]) => repriceCommand(shop, ...args);
const pageOf = async ({ now, subscriptionId: id }: Subscriber) =>
  (await (await now()).subscription.getSubscription({ query: { id } })).data!;
const totals = async ({ invoices }: Subscriber) =>
  (await invoices()).filter(({ status }) => status === 'paid').map(({ total }) => total);

test('B22 a new price in the catalogue alone changes no renewal', async () => {
  const anna = await subscriber(shop, 'anna');
  await sells('solo', 249_00);
  await anna.liveUntil(new Date(anna.firstEnd.getTime() + 40 * DAY_MS));
  expect(await totals(anna)).toEqual([OLD, OLD, OLD]);
  expect(await anna.emails(/costs/)).toBe(0);
});

test('B22 an announced price is emailed and shown 30 days before, charged to the unit, and never earlier', async () => {
  const ben = await subscriber(shop, 'ben');
  await sells('solo', 249_00);
  const preview = await reprice('solo', '--from', dayOf(days(1)));
  expect([preview.code, preview.stdout]).toEqual([1, expect.stringContaining('Nothing was changed')]);
  expect(await ben.emails(/costs/)).toBe(0);
  const confirmed = await reprice('solo', '--from', dayOf(days(1)), '--yes');
  expect(confirmed.stdout).toMatch(/\d customers were notified/);
  const message = await ben.message(/From .* your Solo plan costs THB.249\.00/);
  for (const text of [message.Text, message.HTML])
    expect(text).toMatch(/THB\s(199|249)\.00 instead of THB\s199/);
  expect(message.Text).toContain('Cancel your plan');
  const page = await pageOf(ben);
  const from = new Date(page.announcedPrice!.from);
  expect(from.getTime() - shop.clock.now().getTime()).toBeGreaterThanOrEqual(30 * DAY_MS);
  expect([page.renewal.price, page.announcedPrice!.price]).toEqual([OLD, 249_00]);
  expect(page.history.find(({ event }) => event === 'announce')).toMatchObject({
    amount: { currency: 'THB', amount: 249_00 },
    day: from.toISOString(),
  });
  // A second run changes nothing.
  expect((await reprice('solo', '--from', dayOf(days(1)), '--yes')).stdout).toContain('Nothing to change');
  await ben.liveUntil(new Date(from.getTime() - 2 * DAY_MS));
  const before = await pageOf(ben);
  expect([before.renewal.price, (await totals(ben)).at(-1)]).toEqual([249_00, OLD]);
  expect((await ben.message(/renews on/)).Text).toMatch(/THB.249/);
  await ben.liveUntil(from);
  expect((await totals(ben)).slice(-2)).toEqual([OLD, 249_00]);
  expect((await pageOf(ben)).announcedPrice).toBeUndefined();
  expect(await ben.taken()).toContain(249_00);
});

test('a customer who rejects the price ends the subscription; a reactivation costs what was announced, also later', async () => {
  const cleo = await subscriber(shop, 'cleo');
  const off = await subscriber(shop, 'off');
  const cancel = async (who: Subscriber) =>
    (await who.now()).subscription.cancelSubscription({ body: { id: who.subscriptionId } });
  await cancel(off);
  await sells('solo', 249_00);
  await reprice('solo', '--from', dayOf(days(1)), '--yes');
  expect((await pageOf(off)).announcedPrice).toBeUndefined();
  await cancel(cleo);
  await cleo.liveUntil(new Date(cleo.firstEnd.getTime() + DAY_MS));
  expect((await cleo.row()).announced_renewal).toBeNull();
  await takeUpAgain(shop, cleo);
  await cleo.liveUntil(new Date((await cleo.row()).period_end!.getTime()));
  expect(await totals(cleo)).toEqual([OLD, 249_00, 249_00]);
});

test('a cancelled announcement is emailed too; a plan change ends the announcement of the former plan', async () => {
  const dan = await subscriber(shop, 'dan');
  const eva = await subscriber(shop, 'eva');
  await sells('solo', 249_00);
  await reprice('solo', '--from', dayOf(days(1)), '--yes');
  const client = await eva.now();
  await buyPlan(client, await orderPlan(client, eva, 'plus'));
  await shop.sweep();
  expect((await pageOf(eva)).announcedPrice).toBeUndefined();
  await sells('solo', OLD);
  await reprice('solo', '--from', dayOf(days(1)), '--yes');
  expect((await dan.message(/is off/)).Text).toMatch(/THB.199/);
  expect(await eva.emails(/is off/)).toBe(0);
  expect((await pageOf(dan)).history.map(({ event }) => event)).toEqual(['takeBack', 'announce', 'activate']);
  await dan.liveUntil(new Date(dan.firstEnd.getTime() + 70 * DAY_MS));
  expect(new Set(await totals(dan))).toEqual(new Set([OLD]));
});

test('a plan change in payment takes effect, whatever is announced at that moment', async () => {
  const gil = await subscriber(shop, 'gil');
  const client = await gil.now();
  const [one, other] = [await orderPlan(client, gil, 'plus'), await orderPlan(client, gil, 'plus')];
  const bought = await client.order.purchaseLogin({ body: one });
  await sells('solo', 249_00);
  await reprice('solo', '--from', dayOf(days(1)), '--yes');
  expect((await pageOf(gil)).announcedPrice).toBeDefined();
  // The price shown before is still accepted after it.
  expect((await client.order.purchaseLogin({ body: other })).code).toBe('0000');
  await confirmCard(shop, cardPaymentOf(bought.data));
  await client.order.confirmPurchase({ body: { metadata: one.metadata } });
  await until(async () => (await gil.row()).devices === 5, 'the Plus plan');
  expect((await client.payment.getCard()).data!.credit).toEqual([]);
  expect((await pageOf(gil)).announcedPrice).toBeUndefined();
});

test('a customer who finds the price too high schedules a plan below it, and pays nothing for that now', async () => {
  const hana = await subscriber(shop, 'hana');
  const client = await hana.now();
  await buyPlan(client, await orderPlan(client, hana, 'plus'));
  await until(async () => (await hana.row()).devices === 5, 'the Plus plan');
  await sells('plus', 599_00);
  await reprice('plus', '--from', dayOf(days(1)), '--yes');
  const from = new Date((await pageOf(hana)).announcedPrice!.from);
  await sells('solo', 349_00);
  await hana.liveUntil(new Date(from.getTime() - 5 * DAY_MS));
  const page = await pageOf(hana);
  expect([page.renewal.price, page.periodEnd]).toEqual([599_00, from.toISOString()]);
  const now = await hana.now();
  const offered = (await previewPlan(now, hana, 'solo')).data!;
  expect([offered.change!.begins, offered.change!.now]).toEqual([from.toISOString(), undefined]);
  const plan = () => now.subscription.planDowngrade({ body: { id: hana.subscriptionId, planId: 'solo' } });
  expect((await plan()).data!.planned).toMatchObject({ planId: 'solo' });
  expect((await pageOf(hana)).renewal.price).toBe(349_00);
  // A third plan is compared with the current plan, not with the scheduled one.
  await sells('team', 499_00);
  expect((await previewPlan(now, hana, 'team')).data!.change!.now).toBeUndefined();
});

test.each([
  [[]],
  [['solo']],
  [['solo', '--from', 'soon']],
  [['solo', '--from', '2030-02-31']],
  [['--from', '2030-01-01']],
])('the command is refused with how to use it: %j', async args => {
  const output = await shopCommand(shop, 'reprice', ...args);
  expect([output.code, output.stderr]).toEqual([64, expect.stringContaining('reprice announce PLAN')]);
});

test('a rate of VAT is refused with the lines for the catalogue', async () => {
  const output = await shopCommand(shop, 'reprice', '--vat', '10', '--from', '2030-01-01');
  expect([output.code, output.stdout]).toEqual([1, '']);
  for (const line of ['  TH:', '- { from: 2030-01-01, rate: 10 }', 'npm run shop -- catalogue import FILE'])
    expect(output.stderr).toContain(line);
});
