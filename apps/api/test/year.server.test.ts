import {
  beginOrder,
  clientSecretOf,
  confirmCard,
  logInByMail,
  paypalOrderOf,
  until,
} from '@fixpoint/testkit/buyer.ts';
import { sampled } from '@fixpoint/testkit/sample.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { checkDatabase } from '../src/modules/books/index.ts';
import { followed, subscriber, takeUpAgain } from './renewing.ts';
import { orderPlan } from './upgrading.ts';

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

type Subscriber = Awaited<ReturnType<typeof followed>>;

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

async function monthlyCardThatExpires() {
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
}

async function cancelledAndBack() {
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
  await takeUpAgain(shop, ben);
  expect(await addressOf(ben)).toBe(address);
  await cancel();
  await ben.liveUntil(later(await end(ben), 40));
  const client = await ben.now();
  // That it may be another one now is said before he pays.
  expect((await client.order.getData({ query: { id } })).data!.held).toBeUndefined();
  await takeUpAgain(shop, ben);
  expect(await ben.taken()).toHaveLength(4);
}

async function bitcoinLate() {
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
}

/** Bought without an account, by what is mailed: the subscription as soon as it runs. */
async function bought(email: string, cycleCount: 1 | 12, pays: 'card' | 'paypal') {
  const { consent, metadata } = await beginOrder(shop.client, { cycleCount });
  const body = { ...consent, paymentMethod: pays, email, language: 'en' as const };
  const { data } = await shop.client.order.purchase({ body });
  if (pays === 'card') await confirmCard(shop, clientSecretOf(data));
  else await shop.sandbox.control('paypal/approve', { order: paypalOrderOf(data), funding: 'balance' });
  await shop.client.order.confirmPurchase({ body: { metadata } });
  const subscriptionId = await until(async () => {
    const order = (await shop.client.order.purchaseData({ body: { metadata } })).data;
    return order?.subscription?.status === 'active' && order.subscription.id;
  }, 'what was bought');
  return followed(shop, { email, subscriptionId });
}

async function paypalUpgradedTwice() {
  const pia = await bought('pia@example.com', 12, 'paypal');
  await logInByMail(shop, pia.email);
  const { subscriptionId: id, firstEnd } = pia;
  const seen = async () => (await (await pia.now()).subscription.getSubscription({ query: { id } })).data!;
  await (await pia.now()).subscription.addKey({ body: { subscriptionId: id, name: 'laptop' } });
  const before = await seen();
  const upgradeTo = async (planId: string, devices: number) => {
    const client = await pia.now();
    const consent = await orderPlan(client, pia, planId);
    const [account] = await until(async () => {
      const { accounts } = (await client.payment.getCard()).data!;
      return accounts.length > 0 && accounts;
    }, 'the kept account');
    const body = { ...consent, paymentMethod: 'paypal' as const, accountId: account!.id };
    await client.order.purchaseLogin({ body });
    await until(async () => (await pia.row()).devices === devices, `${devices} devices`);
    return consent.price.price;
  };
  await pia.liveUntil(later(firstEnd, -275));
  const first = await upgradeTo('plus', 5);
  await pia.liveUntil(later(firstEnd, -120));
  const second = await upgradeTo('team', 15);
  await pia.liveUntil(later(firstEnd, -29));
  const { renewal } = await seen();
  expect((await pia.letter(/Team plan renews on/)).Text).toContain('the day before');
  await pia.liveUntil(later(firstEnd, 1));
  expect(await pia.letters(/renews on/)).toBe(2);
  const paid = (await pia.invoices()).map(({ purpose, status, total }) => [purpose, status, total]);
  expect(paid).toEqual([
    ['purchase', 'paid', expect.any(Number)],
    ['upgrade', 'paid', first],
    ['upgrade', 'paid', second],
    ['renewal', 'paid', renewal.price],
  ]);
  const taken = (await shop.sandbox.paypalLedger()).captures.map(({ amount }) => Number(amount) * 100);
  expect(taken.map(Math.round)).toEqual(paid.map(([, , total]) => total));
  const periods = await pia.periods();
  expect(periods).toHaveLength(2);
  expectWithoutGap(periods);
  const { address, keys } = await seen();
  expect([address, keys.map(key => key.id)]).toEqual([before.address, before.keys.map(key => key.id)]);
}

async function guestForAYear() {
  const gus = await bought('gus@example.com', 1, 'card');
  const { row, firstEnd } = gus;
  await gus.liveUntil(later(firstEnd, 300));
  expect(await gus.letters(/receipt/i)).toBe(11);
  const account = await shop.db
    .selectFrom('customer')
    .leftJoin('session', 'session.customer_id', 'customer.id')
    .select(['password_hash', 'session.id as session'])
    .where('email', '=', gus.email)
    .execute();
  expect(account).toEqual([{ password_hash: null, session: null }]);
  // His bank refuses from now on, and nobody answers the letters.
  await gus.cardIs('pm_card_chargeCustomerFail');
  const paidUntil = await end(gus);
  await gus.liveUntil(later(paidUntil, 4.5));
  expect((await row()).status).toBe('pastDue');
  await gus.liveUntil(later(paidUntil, 6.5));
  expect((await row()).status).toBe('expired');
  expect(await gus.letters(/couldn’t charge/)).toBeGreaterThanOrEqual(4);
  expect((await gus.letter(/has ended/)).Text).toContain('We keep the fixed IP');
  const again = await bought(gus.email, 1, 'card');
  expect((await again.row()).customer_id).toBe((await row()).customer_id);
  expectWithoutGap(await gus.periods());
}

type Offered = { payment?: { payable: { kind: string; text?: string } } } | null | undefined;
const textOf = (offered: Offered) => offered?.payment?.payable.text;

const stories: Record<string, () => Promise<void>> = {
  'a year by a monthly card that expires: refused twice, replaced, and not a day without service':
    monthlyCardThatExpires,
  'cancelled, undone, cancelled: back after 20 days with the same address, and after 40 without it':
    cancelledAndBack,
  'who pays by bitcoin is asked with an invoice, pays late, and loses no day': bitcoinLate,
  'a year by PayPal, upgraded twice: asked for the difference each time, and renewed as what it is by then':
    paypalUpgradedTwice,
  'a guest who never sets a password is served for a year, told what fails, and buys again by his address':
    guestForAYear,
};
// A year takes long: two a day.
for (const title of sampled(Object.keys(stories), 2)) test(title, stories[title]!);
