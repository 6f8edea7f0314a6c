import { clientSecretOf, confirmCard, until } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { checkDatabase } from '../src/modules/books/index.ts';
import { subscriber } from './renewing.ts';

const PRICE = 199_00;
const DAY_MS = 24 * 60 * 60_000;

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop?.stop());
afterEach(async () => {
  expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);
});

type Subscriber = Awaited<ReturnType<typeof subscriber>>;

const later = (from: Date, days: number) => new Date(from.getTime() + days * DAY_MS);
const end = async ({ row }: Subscriber) => (await row()).period_end!;
const addressOf = async ({ now, subscriptionId: id }: Subscriber) =>
  (await (await now()).subscription.getSubscription({ query: { id } })).data!.address;

/** Each period begins where the one before it ended. */
function expectWithoutGap(periods: Awaited<ReturnType<Subscriber['periods']>>) {
  for (const [index, { starts_at }] of periods.entries()) {
    if (index > 0) expect(starts_at).toEqual(periods[index - 1]!.ends_at);
  }
}

/** Buys again what has ended, by card. */
async function takeUpAgain(person: Subscriber) {
  const client = await person.now();
  const { product, total } = (await client.order.getData({ query: { id: person.subscriptionId } })).data!;
  const { currency, price } = total;
  const begin = { productId: product.id, currency, subscriptionId: person.subscriptionId };
  const { metadata } = (await client.order.getMetaData({ body: begin })).data!;
  const termsVersion = (await client.text.getTerm()).data!.version;
  const body = { metadata, paymentMethod: 'card' as const, termsVersion, price: { currency, price } };
  const bought = await client.order.purchaseReactivate({ body });
  await confirmCard(shop, clientSecretOf(bought.data));
  await client.order.confirmPurchase({ body: { metadata } });
  await until(async () => (await person.row()).status === 'active', 'it is active again');
}

test('a year by a monthly card that expires: refused twice, replaced, and not a day without service', async () => {
  const anna = await subscriber(shop, 'anna');
  await anna.liveUntil(later(anna.firstEnd, 150));
  await anna.cardIs('pm_card_chargeCustomerFail');
  const paidUntil = await end(anna);
  await anna.liveUntil(later(paidUntil, 1));
  expect([(await anna.row()).status, await end(anna)]).toEqual(['pastDue', paidUntil]);
  await anna.cardIs('pm_card_visa');
  const client = await anna.now();
  const { data } = await client.subscription.getSubscription({ query: { id: anna.subscriptionId } });
  const { cards } = (await client.payment.getCard()).data!;
  const body = { invoiceId: data!.openInvoice!.id, paymentMethod: 'card' as const, cardId: cards[0]!.id };
  expect((await client.payment.payment({ body })).data).toEqual({ status: 'paid' });
  await anna.liveUntil(later(anna.firstEnd, 340));
  const periods = await anna.periods();
  expect(periods).toHaveLength(13);
  expectWithoutGap(periods);
  expect(await anna.taken()).toEqual(Array.from({ length: 13 }, () => PRICE));
  expect((await anna.invoices()).every(({ status }) => status === 'paid')).toBe(true);
});

test('cancelled, undone, cancelled: back after 20 days with the same address, and after 40 without it', async () => {
  const ben = await subscriber(shop, 'ben');
  const id = ben.subscriptionId;
  const cancel = async (undo = false) =>
    (await ben.now()).subscription.cancelSubscription({ body: { id, undo } });
  await cancel();
  await cancel(true);
  await ben.liveUntil(ben.firstEnd);
  expect((await ben.row()).status).toBe('active');
  const address = await addressOf(ben);
  await cancel();
  await ben.liveUntil(later(await end(ben), 20));
  expect((await ben.row()).status).toBe('expired');
  await takeUpAgain(ben);
  expect(await addressOf(ben)).toBe(address);
  await cancel();
  await ben.liveUntil(later(await end(ben), 40));
  const client = await ben.now();
  // That it may be another one now is said before he pays.
  expect((await client.order.getData({ query: { id } })).data!.held).toBeUndefined();
  await takeUpAgain(ben);
  expect(await ben.taken()).toHaveLength(4);
});

test('who pays by bitcoin is asked with an invoice, pays late, and loses no day', async () => {
  const cleo = await subscriber(shop, 'cleo');
  await cleo.forgetCard();
  await cleo.liveUntil(later(cleo.firstEnd, -6));
  const letter = await cleo.letter(/Please pay/);
  expect(letter.Attachments).toMatchObject([{ ContentType: 'application/pdf' }]);
  await cleo.liveUntil(later(cleo.firstEnd, 3));
  expect((await cleo.row()).status).toBe('pastDue');
  const client = await cleo.now();
  const { data } = await client.subscription.getSubscription({ query: { id: cleo.subscriptionId } });
  const invoiceId = data!.openInvoice!.id;
  const pay = () => client.payment.payment({ body: { invoiceId, paymentMethod: 'bitcoin' } });
  const offered = await pay();
  expect(offered.data).toMatchObject({
    status: 'open',
    payment: { method: 'bitcoin', payable: { kind: 'scan', unit: 'BTC' } },
  });
  // Pressed again: the same address.
  expect((await pay()).data?.payment?.payable).toMatchObject({ text: textOf(offered.data) });
  const { provider_ref: invoice } = await shop.db
    .selectFrom('attempt')
    .select('provider_ref')
    .where('invoice_id', '=', invoiceId)
    .executeTakeFirstOrThrow();
  await shop.sandbox.control('btcpay/pay', { invoice });
  const ask = async () => (await client.payment.askInvoice({ body: { invoiceId } })).data;
  await until(async () => (await ask())?.payment?.payable.kind === 'wait', 'coins that were seen');
  await shop.sandbox.control('btcpay/confirm', { invoice });
  await until(async () => (await ask())?.status === 'paid', 'the invoice is paid');
  expectWithoutGap(await cleo.periods());
  expect((await cleo.row()).status).toBe('active');
  // The next one is asked for as well, and never charged.
  await cleo.liveUntil(later(await end(cleo), -1));
  expect(await cleo.letters(/Please pay/)).toBeGreaterThan(4);
});

type Offered = { payment?: { payable: { kind: string; text?: string } } } | null | undefined;
const textOf = (offered: Offered) => offered?.payment?.payable.text;
