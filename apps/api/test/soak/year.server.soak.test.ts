import {
  beginOrder,
  cardPaymentOf,
  confirmCard,
  logInByEmail,
  makeCard,
  paypalOrderOf,
  until,
} from '@fixpoint/testkit/buyer.ts';
import { untilJobsDone } from '@fixpoint/testkit/load-test/load-test.ts';
import { paymentHandleOf } from '@fixpoint/testkit/load-test/pay.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { checkDatabase } from '../../src/modules/books/index.ts';
import { orderPlan } from '../checkout/upgrading.ts';
import { expectWithoutGap, followed, subscriber, takeUpAgain } from '../subscription/renewing.ts';

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

async function isSold(address: string): Promise<boolean> {
  const { subscription_id } = await shop.db
    .selectFrom('static_ip')
    .select('subscription_id')
    .where('address', '=', address)
    .executeTakeFirstOrThrow();
  return subscription_id !== null;
}

/** Key material of its host: while it is the same, previously downloaded files still connect. */
function trustOf({ subscriptionId }: Subscriber) {
  const found = shop.host.set()?.subscriptions.find(({ id }) => id === subscriptionId);
  if (!found) return undefined;
  const { ca, tlsCrypt, publicAddress, port, keys, revoked } = found;
  return { ca, tlsCrypt, publicAddress, port, keys, revoked };
}

async function monthlyCardThatExpires() {
  const anna = await subscriber(shop, 'anna');
  const saveCard = async (ends: Date) => {
    const [exp_year, exp_month] = ends.toISOString().split('-') as [string, string];
    const body = { card: await makeCard(shop, { exp_year, exp_month }), asDefault: true };
    expect((await (await anna.now()).payment.updPayment({ body })).code).toBe('0000');
  };
  await saveCard(later(anna.firstEnd, 150));
  await anna.liveUntil(later(anna.firstEnd, 110));
  expect(await anna.emails(/card expires/), 'long before it').toBe(0);
  // She does not read that the card expires, and it does.
  while ((await anna.row()).status === 'active') await anna.liveUntil(later(await end(anna), -0.5));
  expect(await anna.emails(/card expires before your next payment/)).toBe(1);
  const paidUntil = await end(anna);
  const [tried] = await anna.attempts();
  expect(tried).toMatchObject({ status: 'failed', failure: 'cardDeclined', hard: true });
  const calls = await anna.chargeTries();
  await anna.liveUntil(later(paidUntil, 1));
  expect([(await anna.row()).status, await anna.chargeTries()], 'it is asked once').toEqual([
    'pastDue',
    calls,
  ]);
  await saveCard(later(paidUntil, 1000));
  await anna.liveUntil(later(paidUntil, 2.5));
  expect((await anna.row()).status, 'the new one pays what is owed').toBe('active');
  await anna.liveUntil(later(anna.firstEnd, 340));
  const periods = await anna.periods();
  expect(periods).toHaveLength(13);
  expectWithoutGap(periods);
  expect(await anna.taken()).toEqual(Array.from({ length: 13 }, () => PRICE));
  expect((await anna.invoices()).every(({ status }) => status === 'paid')).toBe(true);
  expect(await anna.emails(/card expires/)).toBe(1);
}

async function cancelledAndBack() {
  const ben = await subscriber(shop, 'ben');
  const id = ben.subscriptionId;
  const cancel = async (undo = false) =>
    (await ben.now()).subscription.cancelSubscription({ body: { id, undo } });
  const reserved = async () => (await (await ben.now()).order.getData({ query: { id } })).data!.held;
  await (await ben.now()).subscription.addKey({ body: { subscriptionId: id, name: 'laptop' } });
  await cancel();
  await cancel(true);
  await ben.liveUntil(later(ben.firstEnd, 80));
  expect((await ben.row()).status).toBe('active');
  const address = await addressOf(ben);
  const trust = await until(async () => trustOf(ben), 'its host');
  expect(trust.keys).toHaveLength(1);
  await cancel();
  await ben.liveUntil(later(await end(ben), 20));
  expect((await ben.row()).status).toBe('expired');
  await until(async () => !trustOf(ben), 'its host hears of the end');
  expect(await reserved()).toMatchObject({ address });
  await takeUpAgain(shop, ben);
  expect(await addressOf(ben)).toBe(address);
  expect(await until(async () => trustOf(ben), 'its host again'), 'the same file').toEqual(trust);
  await ben.liveUntil(later(await end(ben), 80));
  await cancel();
  for (const days of [31, 39]) await ben.liveUntil(later(await end(ben), days));
  // After its cooldown one of the next customers gets the address.
  for (let n = 0; !(await isSold(address!)); n += 1) await shop.customer(`next-${n}`);
  await ben.liveUntil(later(await end(ben), 40));
  // The page says before payment that the address will be another one.
  expect(await reserved()).toBeUndefined();
  await takeUpAgain(shop, ben);
  expect(await addressOf(ben)).not.toBe(address);
  expect(trustOf(ben)).toMatchObject({ publicAddress: await addressOf(ben) });
  expect(trustOf(ben)?.ca, 'no earlier file').not.toBe(trust.ca);
  await ben.liveUntil(later(ben.firstEnd, 335));
  const periods = await ben.periods();
  expect(await ben.taken()).toHaveLength(periods.length);
  // Not served for 20 days, and for 40.
  const gaps = periods
    .slice(1)
    .map(({ starts_at }, n) => starts_at.getTime() - periods[n]!.ends_at.getTime());
  expect(gaps.map(ms => Math.round(ms / DAY_MS)).filter(days => days > 0)).toEqual([20, 40]);
}

async function bitcoinLate() {
  const cleo = await buyAsGuest('cleo@example.com', 1, 'bitcoin');
  await logInByEmail(shop, cleo.email);
  const amountDue = async () => {
    const client = await cleo.now();
    const { data } = await client.subscription.getSubscription({ query: { id: cleo.subscriptionId } });
    return { client, invoiceId: data!.openInvoice!.id };
  };
  for (let months = 1; months <= 11; months += 1) {
    const due = await end(cleo);
    await cleo.liveUntil(later(due, -6));
    if (months === 1) {
      const message = await cleo.message(/please pay/);
      expect(message.Attachments).toMatchObject([{ ContentType: 'application/pdf' }]);
    }
    await cleo.liveUntil(later(due, 1 + (months % 5)));
    expect((await cleo.row()).status).toBe('pastDue');
    const { client, invoiceId } = await amountDue();
    const pay = () => client.payment.payment({ body: { invoiceId, paymentMethod: 'bitcoin' } });
    const offered = await pay();
    expect(offered.data).toMatchObject({
      status: 'open',
      payment: { method: 'bitcoin', nextAction: { kind: 'scan', unit: 'BTC' } },
    });
    // A second press returns the same address.
    expect((await pay()).data?.payment?.nextAction).toMatchObject({ text: textOf(offered.data) });
    const invoice = await coinsOf(invoiceId);
    await shop.sandbox.control('btcpay/pay', { invoice });
    const ask = async () => (await client.payment.askInvoice({ body: { invoiceId } })).data;
    await until(async () => (await ask())?.payment?.nextAction.kind === 'wait', 'coins that were seen');
    await shop.sandbox.control('btcpay/confirm', { invoice });
    await until(async () => (await ask())?.status === 'paid', 'the invoice is paid');
    expect([(await cleo.row()).status, (await cleo.row()).period_start]).toEqual(['active', due]);
  }
  expectWithoutGap(await cleo.periods());
  expect(await cleo.periods()).toHaveLength(12);
  const coins = Object.values((await shop.sandbox.btcpayLedger()).invoices);
  expect(coins.map(({ settled }) => settled)).toEqual(Array.from({ length: 12 }, () => PRICE));
  // The next invoice is sent too, is never charged, and ends unpaid.
  const last = await end(cleo);
  const before = await cleo.emails(/please pay/);
  await cleo.liveUntil(later(last, 5.9));
  expect([(await cleo.row()).status, await cleo.emails(/please pay/)]).toEqual(['pastDue', before + 5]);
  await cleo.liveUntil(later(last, 6.1));
  expect((await cleo.row()).status).toBe('expired');
  expect((await shop.sandbox.btcpayLedger()).invoices).toHaveLength(12);
}

/** BTCPay Server's id for the payment of one of our invoices. */
async function coinsOf(invoiceId: string): Promise<string> {
  const { provider_ref } = await shop.db
    .selectFrom('attempt')
    .select('provider_ref')
    .where('invoice_id', '=', invoiceId)
    .executeTakeFirstOrThrow();
  return provider_ref!;
}

/** Buys as a guest, with the emailed link. @returns the subscription once it is active */
async function buyAsGuest(email: string, cycleCount: 1 | 12, pays: 'card' | 'paypal' | 'bitcoin') {
  const { consent, metadata } = await beginOrder(shop.client, { cycleCount });
  const body = { ...consent, paymentMethod: pays, email, language: 'en' as const };
  const { data } = await shop.client.order.purchase({ body });
  if (pays === 'card') await confirmCard(shop, cardPaymentOf(data));
  else if (pays === 'paypal')
    await shop.sandbox.control('paypal/approve', { order: paypalOrderOf(data), funding: 'balance' });
  else {
    const invoice = paymentHandleOf(data!)!.name;
    await shop.sandbox.control('btcpay/pay', { invoice });
    await shop.sandbox.control('btcpay/confirm', { invoice });
  }
  await shop.client.order.confirmPurchase({ body: { metadata } });
  const subscriptionId = await until(async () => {
    const order = (await shop.client.order.purchaseData({ body: { metadata } })).data;
    return order?.subscription?.status === 'active' && order.subscription.id;
  }, 'what was bought');
  return followed(shop, { email, subscriptionId });
}

async function paypalUpgradedTwice() {
  const pia = await buyAsGuest('pia@example.com', 12, 'paypal');
  await logInByEmail(shop, pia.email);
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
    }, 'the saved account');
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
  expect((await pia.message(/Team plan renews on/)).Text).toContain('the day before');
  await pia.liveUntil(later(firstEnd, 1));
  expect(await pia.emails(/renews on/)).toBe(2);
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
  const gus = await buyAsGuest('gus@example.com', 1, 'card');
  const { row, firstEnd } = gus;
  await gus.liveUntil(later(firstEnd, 335));
  // The receipt is generated first, and failed emails are retried on a busy machine.
  const receipts = async () => {
    await untilJobsDone(shop.db);
    await shop.sweep();
    // The first one goes with the email that the VPN is ready.
    return gus.emails(/receipt|^Your VPN is ready/i);
  };
  await expect.poll(receipts).toBe(13);
  const account = await shop.db
    .selectFrom('customer')
    .leftJoin('session', 'session.customer_id', 'customer.id')
    .select(['password_hash', 'session.id as session'])
    .where('email', '=', gus.email)
    .execute();
  expect(account).toEqual([{ password_hash: null, session: null }]);
  // The bank declines from now on, and nobody answers the emails.
  await gus.cardIs('pm_card_chargeCustomerFail');
  const paidUntil = await end(gus);
  await gus.liveUntil(later(paidUntil, 4.5));
  expect((await row()).status).toBe('pastDue');
  await gus.liveUntil(later(paidUntil, 6.5));
  expect((await row()).status).toBe('expired');
  expect(await gus.emails(/couldn’t charge/)).toBeGreaterThanOrEqual(4);
  expect((await gus.message(/has ended/)).Text).toContain('We keep the fixed IP');
  const again = await buyAsGuest(gus.email, 1, 'card');
  expect((await again.row()).customer_id).toBe((await row()).customer_id);
  expectWithoutGap(await gus.periods());
}

type Offered = { payment?: { nextAction: { kind: string; text?: string } } } | null | undefined;
const textOf = (offered: Offered) => offered?.payment?.nextAction.text;

const stories: Record<string, () => Promise<void>> = {
  'a monthly card that expires within a year is announced, declined once and replaced, without a day out of service':
    monthlyCardThatExpires,
  'a customer who cancels, undoes and cancels is back after 20 days with the same address and file, after 40 with another one':
    cancelledAndBack,
  'a customer with bitcoin gets an invoice each month of a year, pays late, loses no day, and ends unpaid':
    bitcoinLate,
  'a yearly PayPal subscription that is upgraded twice costs the difference each time, and renews as the last plan':
    paypalUpgradedTwice,
  'a guest who never sets a password is served for a year, learns what fails, and buys again with the same address':
    guestForAYear,
};
for (const [title, story] of Object.entries(stories)) test(title, story);
