import { beginOrder, cardPaymentOf, confirmCard, PASSWORD, until } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { checkDatabase } from '../../src/modules/books/index.ts';
import { followed, leaveAlone, orderAgain, subscriber, takeUpAgain } from '../subscription/renewing.ts';
import { buyPlan, orderPlan, previewPlan } from './upgrading.ts';

const DAY_MS = 24 * 60 * 60_000;
const PRICE = 199_00;
const THB = { currency: 'THB' };
let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop({ WITHDRAWAL: 'DE:days,FR:full' });
});
afterEach(async () => {
  await shop.sweep();
  expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);
  await leaveAlone(shop);
});
afterAll(() => shop?.stop());

/** Lets so much time pass after a withdrawal that what is bought then has a right of its own. */
async function laterWithRight() {
  shop.clock.advance(31 * DAY_MS);
  await shop.sweep();
}

/** Creates a customer whose first period began `days` ago. */
async function buyer(name: string, days = 0) {
  const person = await subscriber(shop, name);
  const { period_start } = await person.row();
  const all = Math.round((person.firstEnd.getTime() - period_start!.getTime()) / DAY_MS);
  if (days > 0) await person.at(days - all);
  const client = await person.now();
  const { subscriptionId: id } = person;
  return {
    ...person,
    client,
    id,
    all,
    look: async (country: string) => client.subscription.withdrawal({ query: { id, country } }),
    withdraw: async (country: string, back: { money: number; credit: number }) =>
      client.subscription.withdraw({ body: { id, country, back: { ...THB, ...back } } }),
    offered: async () =>
      (await client.subscription.getSubscription({ query: { id } })).data!.withdrawal?.countries,
    refunds: async () =>
      shop.db
        .selectFrom('refund')
        .innerJoin('credit_note', 'credit_note.id', 'refund.credit_note_id')
        .select(['refund.amount', 'refund.reason', 'refund.status', 'credit_note.total'])
        .where('refund.customer_id', '=', (await person.row()).customer_id)
        .orderBy('refund.amount')
        .execute(),
    creditNow: async () => (await client.payment.getCard()).data!.credit,
  };
}

test('U39 a customer who withdraws sees the refund for the unused days, gets it as they paid, and the subscription ends at once', async () => {
  const anna = await buyer('anna', 5.5);
  expect(await anna.offered()).toEqual(['DE', 'FR']);
  // The sixth day has begun, so it is used.
  const money = Math.round((PRICE * (anna.all - 6)) / anna.all);
  const shown = { ...THB, money, credit: 0 };
  expect((await anna.look('DE')).data).toEqual(shown);
  expect((await anna.look('FR')).data).toEqual({ ...THB, money: PRICE, credit: 0 });
  expect((await anna.look('TH')).code).toBe('7004');
  // Neither more nor less than the page showed.
  expect((await anna.withdraw('DE', { money: PRICE, credit: 0 })).code).toBe('7004');
  expect((await anna.row()).status).toBe('active');

  const both = await Promise.all([anna.withdraw('DE', shown), anna.withdraw('DE', shown)]);
  expect(both.map(({ data }) => data)).toEqual([shown, shown]);
  const row = await anna.row();
  expect([row.status, row.period_end, row.due_at]).toEqual(['expired', shop.clock.now(), null]);
  expect(await anna.offered()).toBeUndefined();
  const { Text } = await anna.message(/withdrawn from the contract/);
  expect(Text).toContain((money / 100).toFixed(2));
  const message = await anna.message(/credit note/i);
  expect(message.Text).toContain((money / 100).toFixed(2));
  await shop.sweep();
  expect(await anna.refunds()).toEqual([
    { amount: money, reason: 'customer', status: 'succeeded', total: money },
  ]);
  const [paid] = (await anna.client.billing.myBilling()).data!.items;
  const net = Math.round((money * 10_000) / 10_700);
  expect((await anna.client.billing.getBilling({ params: { id: paid!.id } })).data!.creditNotes).toEqual([
    {
      number: expect.stringMatching(/^CN20\d\d-\d{6}$/),
      reason: 'Withdrawal from the contract',
      issuedAt: shop.clock.now().toISOString(),
      total: { ...THB, price: money, net, vat: money - net },
    },
  ]);
  // A repeated call has the same answer, whatever the country.
  expect((await anna.withdraw('FR', { money: PRICE, credit: 0 })).data).toEqual(shown);
  expect(await anna.refunds()).toHaveLength(1);
});

test('a part that credit paid is refunded as credit, after the money', async () => {
  const ben = await buyer('ben');
  await ben.credit(50_00);
  const { consent } = await beginOrder(ben.client);
  const cardId = await until(
    async () => (await ben.client.payment.getCard()).data!.cards[0]?.id,
    'their card',
  );
  const bought = await ben.client.order.purchaseLogin({ body: { ...consent, credit: 50_00, cardId } });
  expect(bought.code).toBe('0000');
  const second = await until(async () => {
    const { items } = (await ben.client.subscription.mySubscription({ body: {} })).data!;
    return items.find(({ id, status }) => id !== ben.id && status === 'active');
  }, 'the second one');
  const back = { ...THB, money: PRICE - 50_00, credit: 50_00 };
  const of = { id: second.id, country: 'FR' };
  expect((await ben.client.subscription.withdrawal({ query: of })).data).toEqual(back);
  expect((await ben.client.subscription.withdraw({ body: { ...of, back } })).data).toEqual(back);
  expect(await ben.creditNow()).toMatchObject([{ ...THB, amount: 50_00 }]);
  expect((await ben.refunds()).map(({ amount }) => amount)).toEqual([PRICE - 50_00]);
  expect((await ben.row()).status).toBe('active');
});

test('an upgrade within the withdrawal period is refunded together with the order that it changed', async () => {
  const cleo = await buyer('cleo', 3.5);
  const consent = await orderPlan(cleo.client, { subscriptionId: cleo.id }, 'plus');
  await buyPlan(cleo.client, consent);
  await until(async () => (await cleo.row()).version > 1, 'the upgrade');
  await shop.sweep();
  const charged = consent.price.price;
  const full = { money: PRICE + charged, credit: 0 };
  expect((await cleo.look('FR')).data).toEqual({ ...THB, ...full });
  // Three days at the former price are used, and the day of the upgrade at the price of the new plan.
  const left = cleo.all - 3;
  const worth = Math.round((PRICE * left) / cleo.all) + charged;
  const { money } = (await cleo.look('DE')).data!;
  expect(Math.abs(money - (worth * (left - 1)) / left)).toBeLessThanOrEqual(1);
  expect((await cleo.withdraw('FR', full)).code).toBe('0000');
  expect((await cleo.refunds()).map(({ amount }) => amount).sort()).toEqual([charged, PRICE].sort());
});

test('a refund of an earlier upgrade does not reduce the refund of a later one', async () => {
  const finn = await buyer('finn');
  await buyPlan(finn.client, await orderPlan(finn.client, { subscriptionId: finn.id }, 'plus'));
  await until(async () => (await finn.row()).devices === 5, 'the upgrade');
  const { money, credit } = (await finn.look('FR')).data!;
  expect((await finn.withdraw('FR', { money, credit })).code).toBe('0000');
  await shop.sweep();
  shop.clock.advance(60_000);
  await takeUpAgain(shop, finn);
  const { total } = (await finn.invoices()).at(-1)!;
  const offered = (await previewPlan(await finn.now(), { subscriptionId: finn.id }, 'team')).data!;
  expect(offered.change!.now!.unused).toBe(total);
});

test('a full refund happens once: a reactivation a month later is refunded by days, and the page says so', async () => {
  const hugo = await buyer('hugo', 3.5);
  const offer = async () =>
    (await (await hugo.now()).subscription.getSubscription({ query: { id: hugo.id } })).data!.withdrawal!;
  expect((await offer()).again).toBe(false);
  expect((await hugo.withdraw('FR', { money: PRICE, credit: 0 })).code).toBe('0000');
  await laterWithRight();
  await takeUpAgain(shop, hugo);
  expect((await offer()).again).toBe(true);
  const { period_start, period_end } = await hugo.row();
  const all = Math.round((period_end!.getTime() - period_start!.getTime()) / DAY_MS);
  shop.clock.advance(13.5 * DAY_MS);
  await shop.sweep();
  const client = await hugo.now();
  const money = Math.round((PRICE * (all - 14)) / all);
  const { data } = await client.subscription.withdrawal({ query: { id: hugo.id, country: 'FR' } });
  expect(data).toEqual({ ...THB, money, credit: 0 });
  const back = (sum: number) =>
    client.subscription.withdraw({
      body: { id: hugo.id, country: 'FR', back: { ...THB, money: sum, credit: 0 } },
    });
  expect((await back(PRICE)).code).toBe('7004');
  expect((await back(money)).code).toBe('0000');
});

test('two reactivations are both refunded, and do not prevent a third one', async () => {
  const gus = await buyer('gus');
  expect((await gus.withdraw('FR', { money: PRICE, credit: 0 })).code).toBe('0000');
  await laterWithRight();
  const client = await gus.now();
  // Both are ordered before either is paid.
  const orders = [await orderAgain(client, gus.id), await orderAgain(client, gus.id)];
  const intents = [];
  for (const body of orders)
    intents.push(cardPaymentOf((await client.order.purchaseReactivate({ body })).data));
  for (const [index, { metadata }] of orders.entries()) {
    await confirmCard(shop, intents[index]!);
    await client.order.confirmPurchase({ body: { metadata } });
    await until(async () => (await gus.periods()).length === index + 2, 'its period');
  }
  shop.clock.advance(60_000);
  const of = { id: gus.id, country: 'DE' };
  const { money } = (await client.subscription.withdrawal({ query: of })).data!;
  const [first] = await gus.periods().then(all => all.filter(({ ends_at }) => ends_at > shop.clock.now()));
  const days = Math.round((first!.ends_at.getTime() - first!.starts_at.getTime()) / DAY_MS);
  expect(money).toBe(PRICE + Math.round((PRICE * (days - 1)) / days));
  const back = { ...THB, money, credit: 0 };
  expect((await client.subscription.withdraw({ body: { ...of, back } })).code).toBe('0000');
  const { period_start, period_end } = await gus.row();
  expect(period_start!.getTime()).toBeLessThanOrEqual(period_end!.getTime());
  shop.clock.advance(60_000);
  expect((await gus.periods()).filter(({ ends_at }) => ends_at > shop.clock.now())).toEqual([]);
  await takeUpAgain(shop, gus);
  const { now } = (await previewPlan(await gus.now(), { subscriptionId: gus.id }, 'plus')).data!.change!;
  expect(now!.unused).toBe(PRICE);
});

test("no withdrawal is offered after its period, for a renewal, or for another customer's; a reactivation offers it again", async () => {
  const dan = await buyer('dan', 14.9);
  expect(await dan.offered()).toHaveLength(2);
  await dan.at(16 - dan.all);
  const late = await buyer('late');
  const client = await dan.now();
  const gone = await client.subscription.withdrawal({ query: { id: dan.id, country: 'FR' } });
  expect(gone.code).toBe('7004');
  expect((await late.client.subscription.withdrawal({ query: { id: dan.id, country: 'FR' } })).code).toBe(
    '6006',
  );
  await dan.liveUntil(new Date(dan.firstEnd.getTime() + DAY_MS));
  expect((await dan.invoices()).map(({ purpose }) => purpose)).toEqual(['purchase', 'renewal']);
  const again = await dan.now();
  const detail = await again.subscription.getSubscription({ query: { id: dan.id } });
  expect(detail.data!.withdrawal).toBeUndefined();
  const refused = await again.subscription.withdraw({
    body: { id: dan.id, country: 'FR', back: { ...THB, money: PRICE, credit: 0 } },
  });
  expect(refused.code).toBe('7004');
});

test('T10 a customer who waits for a host can withdraw for as long as they wait, in any country, with a full refund', async () => {
  const ivo = await buyer('ivo');
  const full = (draining: boolean) => shop.db.updateTable('host').set({ draining }).execute();
  const { consent } = await beginOrder(ivo.client);
  const cardId = await until(
    async () => (await ivo.client.payment.getCard()).data!.cards[0]?.id,
    'their card',
  );
  await full(true);
  await ivo.client.order.purchaseLogin({ body: { ...consent, cardId } });
  const { id } = await until(async () => {
    const { items } = (await ivo.client.subscription.mySubscription({ body: {} })).data!;
    return items.find(({ status }) => status === 'provisioning');
  }, 'the one that waits');
  const back = { ...THB, money: PRICE, credit: 0 };
  const look = (client: typeof ivo.client) => client.subscription.withdrawal({ query: { id } });
  // A host may be available in a minute.
  expect((await look(ivo.client)).code).toBe('7004');
  shop.clock.advance(40 * DAY_MS);
  const client = await ivo.now();
  const shown = (await client.subscription.getSubscription({ query: { id } })).data!;
  expect(shown.withdrawal).toEqual({ countries: [], again: false });
  const close = { action: 'delete' as const, currentPassword: PASSWORD };
  expect((await client.auth.deleteAccount({ body: close })).code).toBe('8007');
  expect((await look(client)).data).toEqual(back);
  const step = () => client.subscription.withdraw({ body: { id, back } });
  expect((await Promise.all([step(), step()])).map(({ data }) => data)).toEqual([back, back]);
  expect((await ivo.message(/withdrawn from the contract/)).Text).toContain('199.00');
  await shop.sweep();
  expect(await ivo.refunds()).toEqual([
    { amount: PRICE, reason: 'customer', status: 'succeeded', total: PRICE },
  ]);
  await full(false);
  shop.clock.advance(60_000);
  await shop.sweep();
  const second = await followed(shop, { email: ivo.email, subscriptionId: id });
  expect((await second.row()).status).toBe('expired');
  // A subscription that was never active does not use up the full refund.
  await takeUpAgain(shop, { ...ivo, ...second });
  const next = await (await ivo.now()).subscription.getSubscription({ query: { id } });
  expect(next.data!.withdrawal).toMatchObject({ countries: ['DE', 'FR'], again: false });
});

test('a subscription that waits for its host has used nothing, and its reactivation is one period', async () => {
  const eva = await buyer('eva');
  shop.host.silence(true);
  const { consent } = await beginOrder(eva.client);
  const cardId = await until(async () => (await eva.client.payment.getCard()).data!.cards[0]?.id, 'her card');
  await eva.client.order.purchaseLogin({ body: { ...consent, cardId } });
  const waiting = await until(async () => {
    const { items } = (await eva.client.subscription.mySubscription({ body: {} })).data!;
    return items.find(({ status }) => status === 'provisioning');
  }, 'the one that waits');
  const back = { ...THB, money: PRICE, credit: 0 };
  const of = { id: waiting.id, country: 'DE' };
  expect((await eva.client.subscription.withdraw({ body: { ...of, back } })).data).toEqual(back);
  shop.host.silence(false);
  await laterWithRight();
  const client = await eva.now();
  const again = await orderAgain(client, waiting.id);
  await client.order.purchaseReactivate({ body: { ...again, cardId } });
  const row = await until(
    () =>
      shop.db
        .selectFrom('subscription')
        .select(['period_start', 'period_end'])
        .where('id', '=', waiting.id)
        .where('status', '=', 'active')
        .executeTakeFirst(),
    'it runs',
  );
  expect(row.period_end!.getTime() - row.period_start!.getTime()).toBeGreaterThan(27 * DAY_MS);
  // The first day has begun.
  const days = Math.round((row.period_end!.getTime() - row.period_start!.getTime()) / DAY_MS);
  const { money } = (await client.subscription.withdrawal({ query: of })).data!;
  expect(money).toBe(Math.round((again.price.price * (days - 1)) / days));
});
