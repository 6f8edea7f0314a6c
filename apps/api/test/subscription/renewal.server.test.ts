import { bangkokDate } from '@fixpoint/domain/kernel/bangkok.ts';
import { cardEnd } from '@fixpoint/domain/payment/card.ts';
import { buyAsVisitor, makeCard, PASSWORD, until } from '@fixpoint/testkit/buyer.ts';
import { untilJobsDone } from '@fixpoint/testkit/load-test/load-test.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { checkDatabase } from '../../src/modules/books/index.ts';
import { connect } from '../helpers/people.ts';
import { dayInEmails, expectWithoutGap, followed, leaveAlone, subscriber, takeUpAgain } from './renewing.ts';

const PRICE = 199_00;
const DAY_MS = 24 * 60 * 60_000;

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop?.stop());
afterEach(async () => {
  await shop.sandbox.calm();
  expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);
  await leaveAlone(shop);
});

/** The subscription as its owner's page shows it. */
const shownTo = async (person: Pick<Awaited<ReturnType<typeof subscriber>>, 'subscriptionId' | 'now'>) => {
  const query = { id: person.subscriptionId };
  return (await (await person.now()).subscription.getSubscription({ query })).data!;
};

/** Text of an email with ordinary spaces in amounts. */
const plain = ({ Text }: { Text: string }) => Text.replaceAll('\u00a0', ' ');

test('a monthly card gets a reminder, is charged a day before, and keeps its day and hour', async () => {
  const anna = await subscriber(shop, 'anna');
  await anna.at(-3);
  expect((await anna.message(/renews on/)).Text).toContain('the day before');
  expect(await anna.taken()).toHaveLength(1);
  await anna.at(-1);
  const row = await anna.row();
  expect([row.status, row.period_start]).toEqual(['active', anna.firstEnd]);
  const months = row.period_end!.getUTCMonth() - anna.firstEnd.getUTCMonth();
  expect([(months + 12) % 12, row.period_end!.toISOString().slice(10)]).toEqual([
    1,
    anna.firstEnd.toISOString().slice(10),
  ]);
  expect(await anna.taken()).toEqual([PRICE, PRICE]);
  const receipt = await anna.message(/is renewed and paid until/);
  expect(receipt.Subject).toMatch(/receipt/i);
  expect(receipt.Attachments).toMatchObject([{ ContentType: 'application/pdf' }]);
  // Concurrent runs do nothing twice.
  await Promise.all([shop.sweep(), shop.sweep()]);
  expect(await anna.invoices()).toMatchObject([
    { purpose: 'purchase', status: 'paid' },
    { purpose: 'renewal', status: 'paid', total: PRICE, period_start: anna.firstEnd },
  ]);
  expect(await anna.taken()).toHaveLength(2);
  // B24: a renewal's invoice names its payment method too.
  const { items } = (await (await anna.now()).billing.myBilling()).data!;
  expect(items.map(each => [each.productType, each.paymentMethod])).toEqual([
    ...[
      ['renewal', 'card'],
      ['subscription', 'card'],
    ],
  ]);
  // That of the purchase came with the first email.
  expect([await anna.emails(/renews on/), await anna.emails(/receipt/i)]).toEqual([1, 1]);
});

test('a reminder that cannot be sent before its renewal is not sent for the next one', async () => {
  const lena = await subscriber(shop, 'lena');
  await shop.sandbox.control('faults', { match: { provider: 'mail' }, do: 'tryLater', times: 100 });
  await lena.at(-3);
  await lena.at(-1);
  expect((await lena.row()).period_start).toEqual(lena.firstEnd);
  await shop.sandbox.calm();
  await lena.at(-0.9);
  await untilJobsDone(shop.db);
  expect([await lena.emails(/renews on/), await lena.emails(/receipt/i)]).toEqual([0, 1]);
});

test("T6 X24 a rest below Stripe's minimum is a declined renewal and does not fail forever", async () => {
  const mona = await subscriber(shop, 'mona');
  await mona.credit(PRICE - 10_00);
  await shop.sandbox.control('settlement', { currency: 'usd' });
  await mona.at(-1);
  const { status } = (await mona.attempts()).find(({ unattended }) => unattended)!;
  expect([status, (await mona.row()).status]).toEqual(['closed', 'pastDue']);
  await shop.sandbox.control('settlement', {});
});

test('a successful charge records its fee at once', async () => {
  const rita = await subscriber(shop, 'rita');
  await rita.at(-1);
  const charge = await shop.db
    .selectFrom('attempt')
    .innerJoin('invoice', 'invoice.id', 'attempt.invoice_id')
    .select(['attempt.status', 'attempt.fee', 'attempt.ask_at'])
    .where('invoice.subscription_id', '=', rita.subscriptionId)
    .where('purpose', '=', 'renewal')
    .execute();
  expect(charge).toEqual([{ status: 'succeeded', fee: expect.any(Number), ask_at: null }]);
});

test('a declined card is retried after 1, 3, 5 and 7 days; service continues, and so does the period once it is paid', async () => {
  const ben = await subscriber(shop, 'ben');
  await ben.cardIs('pm_card_chargeCustomerFail');
  for (const [days, tries, next] of [
    [-1, 1, 0],
    [0, 2, 2],
    [2, 3, 4],
    [4, 4, 6],
  ] as const) {
    await ben.at(days);
    await shop.sweep();
    // The page names the next retry, as the email does.
    const nextTryAt = new Date(ben.firstEnd.getTime() + next * DAY_MS).toISOString();
    expect((await shownTo(ben)).openInvoice).toMatchObject({ nextTryAt });
    expect((await ben.message(/couldn’t charge/)).Text).toContain(dayInEmails(nextTryAt));
    expect([(await ben.row()).status, await ben.chargeTries()]).toEqual(['pastDue', 1 + tries]);
    expect(await ben.emails(/couldn’t charge/)).toBe(tries);
  }
  expect((await ben.message(/one last time/)).Text).toContain('203.0.113.');
  const { nextTryAt, until: last } = (await shownTo(ben)).openInvoice!;
  expect(nextTryAt).toBe(last);
  await ben.cardIs('pm_card_visa');
  await ben.at(6);
  const row = await ben.row();
  expect([row.status, row.period_start]).toEqual(['active', ben.firstEnd]);
  expect(await ben.taken()).toEqual([PRICE, PRICE]);
});

test('FV12 a card that is declined for good is charged once; unpaid the subscription ends, and its address is reserved', async () => {
  const cleo = await subscriber(shop, 'cleo');
  await cleo.cardIs('pm_card_authenticationRequired');
  await cleo.at(-1);
  // The email promises no retry, and names manual payment and the bank's confirmation.
  const refused = await cleo.message(/couldn’t charge/);
  expect(refused.Text).toMatch(/bank wants you to confirm the payment of THB.199\.00[\s\S]*please pay by/);
  expect(refused.Text).not.toMatch(/was refused|try again/);
  expect((await shownTo(cleo)).openInvoice).toMatchObject({ stopped: 'confirm' });
  for (const days of [0, 2, 4]) await cleo.at(days);
  expect(await cleo.chargeTries()).toBe(2);
  expect(await cleo.emails(/please pay/)).toBe(3);
  expect((await cleo.row()).status).toBe('pastDue');
  const { openInvoice } = await shownTo(cleo);
  expect([openInvoice!.stopped, openInvoice!.nextTryAt]).toEqual(['confirm', undefined]);
  await cleo.at(6);
  await cleo.at(6.1);
  expect((await cleo.row()).status).toBe('expired');
  // Service continued for days after the paid period.
  const { items } = (await (await cleo.now()).subscription.mySubscription({ body: {} })).data!;
  expect(items[0]).toMatchObject({ status: 'expired', periodEnd: cleo.firstEnd.toISOString() });
  const ended = new Date(items[0]!.endedAt!).getTime() - cleo.firstEnd.getTime();
  expect(ended / DAY_MS).toBeCloseTo(6.1, 2);
  expect((await cleo.invoices()).at(-1)).toMatchObject({ status: 'void' });
  expect((await cleo.message(/has ended/)).Text).toContain('the same address and the same files');
  const held = await shop.db
    .selectFrom('static_ip')
    .select('reserved_until')
    .where('subscription_id', '=', cleo.subscriptionId)
    .executeTakeFirst();
  expect(held?.reserved_until).not.toBeNull();
});

test('U61 pages and emails name the day of the charge and the last day to pay a past-due amount', async () => {
  const una = await subscriber(shop, 'una');
  const id = una.subscriptionId;
  const shown = async () => {
    const { items } = (await (await una.now()).subscription.mySubscription({ body: {} })).data!;
    return items.find(item => item.id === id)!;
  };
  const after = (days: number) => new Date(una.firstEnd.getTime() + days * DAY_MS);
  await una.at(-3);
  expect(await shown()).toMatchObject({ billedAt: after(-1).toISOString() });
  const charged = dayInEmails(after(-1));
  expect((await una.message(/renews on/)).Text).toContain(`on your subscription’s page before ${charged}`);
  for (const undo of [false, true])
    await (await una.now()).subscription.cancelSubscription({ body: { id, undo } });
  expect((await una.message(/is on again/)).HTML).toContain(`on ${charged}`);
  await una.cardIs('pm_card_chargeCustomerFail');
  await una.at(-1);
  const owing = await shown();
  expect(owing.billedAt).toBeUndefined();
  expect(owing).toMatchObject({ status: 'pastDue', openInvoice: { until: after(6).toISOString() } });
  // An open page learns of another decline and of the next retry.
  const body = { email: una.email, password: PASSWORD };
  const socket = await connect(shop.url, (await shop.client.auth.login({ body })).token!);
  const heard: unknown[] = [];
  socket.on('SUBSCRIPTION', said => heard.push(said));
  expect(owing.openInvoice).toMatchObject({ nextTryAt: after(0).toISOString() });
  await una.at(0);
  await until(async () => heard.length > 0, 'the news');
  socket.close();
  expect((await shown()).openInvoice).toMatchObject({ nextTryAt: after(2).toISOString() });
  // A charge that the bank refuses for good is not retried.
  const { id: invoice } = (await una.invoices()).at(-1)!;
  await shop.db.updateTable('attempt').set({ hard: true }).where('invoice_id', '=', invoice).execute();
  const stopped = (await shown()).openInvoice!;
  expect([stopped.stopped, stopped.nextTryAt]).toEqual(['refused', undefined]);
  await una.at(5.9);
  expect((await una.row()).status).toBe('pastDue');
  await una.at(6);
  await una.at(6.1);
  expect((await una.row()).status).toBe('expired');
});

test('a charge whose answer was lost is queried and never repeated', async () => {
  const dan = await subscriber(shop, 'dan');
  await shop.sandbox.fault({ path: 'POST /v1/payment_intents' }, 'commitThenDropConnection', 1);
  await dan.at(-1);
  for (const days of [-0.9, 0, 2]) await dan.at(days);
  expect(await dan.taken()).toEqual([PRICE, PRICE]);
  expect((await dan.row()).period_start).toEqual(dan.firstEnd);
});

test('a customer without a chargeable method gets an email a week before and on the last day', async () => {
  const eva = await subscriber(shop, 'eva');
  await eva.forgetCard();
  await eva.at(-8);
  // The page names the same day, a week before, and no charge.
  const seen = await (await eva.now()).subscription.getSubscription({ query: { id: eva.subscriptionId } });
  const invoiceAt = new Date(eva.firstEnd.getTime() - 7 * DAY_MS).toISOString();
  expect(seen.data).toMatchObject({ byHand: true, billedAt: invoiceAt });
  await eva.at(-7);
  const first = await eva.message(/please pay/);
  expect(first.Text).toMatch(/invoice \S+ for/);
  expect(first.Attachments).toMatchObject([{ ContentType: 'application/pdf' }]);
  await eva.at(-1);
  expect([await eva.emails(/please pay/), (await eva.row()).status]).toEqual([2, 'active']);
  await eva.at(0);
  expect([await eva.emails(/please pay/), (await eva.row()).status]).toEqual([3, 'pastDue']);
  // Without a try there is no failure to show.
  const { openInvoice, history } = await shownTo(eva);
  expect([openInvoice!.stopped, openInvoice!.nextTryAt]).toEqual([undefined, undefined]);
  expect(history.map(({ event }) => event)).toEqual(['due', 'activate']);
  await eva.at(6);
  expect((await eva.row()).status).toBe('expired');
});

test('an open page learns of the invoice that its customer has to pay', async () => {
  const vic = await subscriber(shop, 'vic');
  await vic.forgetCard();
  await vic.at(-7.01);
  const body = { email: vic.email, password: PASSWORD };
  const socket = await connect(shop.url, (await shop.client.auth.login({ body })).token!);
  const heard: unknown[] = [];
  socket.on('SUBSCRIPTION', said => heard.push(said));
  await vic.at(-7);
  await until(async () => heard.length > 0, 'the news');
  socket.close();
  expect(heard).toEqual([{ event: 'detailFetch', id: vic.subscriptionId }]);
});

test('a past-due amount is paid with one press, by its own customer and with their own card', async () => {
  const hal = await subscriber(shop, 'hal');
  const ida = await subscriber(shop, 'ida');
  await hal.cardIs('pm_card_chargeCustomerFail');
  await hal.at(-0.5);
  const client = await hal.now();
  const { data } = await client.subscription.getSubscription({ query: { id: hal.subscriptionId } });
  expect(data).toMatchObject({ status: 'pastDue', openInvoice: { amount: PRICE } });
  const invoiceId = data!.openInvoice!.id;
  const { cards } = (await client.payment.getCard()).data!;
  const cardId = cards[0]!.id;
  const pay = (as: typeof client) =>
    as.payment.payment({ body: { invoiceId, paymentMethod: 'card', cardId } });
  const unknown = { code: '7004', data: { fields: { id: 'invoice.notFound' } } };
  expect(await pay(await ida.now())).toMatchObject(unknown);
  const another = { invoiceId, paymentMethod: 'card' as const, cardId: 'met_nobodys' };
  expect((await client.payment.payment({ body: another })).code).toBe('6007');
  expect((await pay(client)).data).toMatchObject({ status: 'open', failure: '2002' });
  await hal.cardIs('pm_card_visa');
  // Pressed twice: one charge.
  const answers = await Promise.all([pay(client), pay(client)]);
  expect(answers.map(({ code }) => code)).toContain('0000');
  expect((await pay(client)).data).toEqual({ status: 'paid' });
  expect([(await hal.row()).status, await hal.taken()]).toEqual(['active', [PRICE, PRICE]]);
});

test('another card than the saved one pays too; a declined one says why', async () => {
  const jo = await subscriber(shop, 'jo');
  await jo.cardIs('pm_card_chargeCustomerFail');
  await jo.at(-0.5);
  const client = await jo.now();
  const { data } = await client.subscription.getSubscription({ query: { id: jo.subscriptionId } });
  const body = { invoiceId: data!.openInvoice!.id, paymentMethod: 'card' as const };
  expect((await client.payment.payment({ body })).data).toMatchObject({
    status: 'open',
    payment: { method: 'card', nextAction: { kind: 'card' } },
  });
  const poor = await makeCard(shop, { number: '4000000000009995' });
  expect((await client.payment.payment({ body: { ...body, card: poor } })).data).toEqual({
    status: 'open',
    failure: 'insufficient_funds',
  });
  const card = await makeCard(shop);
  expect((await client.payment.payment({ body: { ...body, card } })).data).toEqual({ status: 'paid' });
  expect((await jo.row()).status).toBe('active');
});

test('P11 a new card pays a past-due amount at once, also the same card saved again; declined, it counts as a try', async () => {
  const save = async (person: Awaited<ReturnType<typeof subscriber>>, number?: string) => {
    const card = await makeCard(shop, number ? { number } : {});
    const body = { card, asDefault: true };
    expect((await (await person.now()).payment.updPayment({ body })).code).toBe('0000');
    await shop.runTasks();
  };
  const lou = await subscriber(shop, 'lou');
  const amountsDue = async (person: typeof lou) => (await (await person.now()).payment.getCard()).data!.owed;
  await lou.cardIs('pm_card_authenticationRequired');
  for (const days of [-1, 0]) await lou.at(days);
  expect([(await lou.row()).status, (await lou.row()).tries]).toEqual(['pastDue', 2]);
  // The page says so before they save it.
  expect(await amountsDue(lou)).toEqual([{ currency: 'THB', amount: PRICE }]);
  // A card that can be saved but not charged: the third try.
  await save(lou, '4000000000000341');
  await until(async () => (await lou.emails(/couldn’t charge/)) === 2, 'the email of a refusal');
  expect([(await lou.row()).status, (await lou.row()).tries]).toEqual(['pastDue', 3]);
  // It is retried, whatever the reason of the decline before.
  const { openInvoice } = await shownTo(lou);
  expect(openInvoice!.nextTryAt).toBe(new Date(lou.firstEnd.getTime() + 4 * DAY_MS).toISOString());
  await lou.at(2);
  expect(await lou.chargeTries()).toBe(3);
  // A card refused for good is the same card when it is saved again, but its owner has confirmed it.
  await save(lou);
  await until(async () => (await lou.row()).status === 'active', 'the period that is paid');
  expect([(await lou.row()).period_start, await lou.taken()]).toEqual([lou.firstEnd, [PRICE, PRICE]]);
  expect(await amountsDue(lou)).toEqual([]);
  // Another saved card pays the past-due amount when it becomes the default.
  const mia = await subscriber(shop, 'mia');
  await save(mia, '4000000000000341');
  await mia.at(-0.5);
  expect((await mia.row()).status).toBe('pastDue');
  const client = await mia.now();
  const { cards } = (await client.payment.getCard()).data!;
  const good = cards.find(({ isDefault }) => !isDefault)!.id;
  await client.payment.updPayment({ body: { makeDefault: good } });
  await until(async () => (await mia.row()).status === 'active', 'what is owed is paid');
  expect(await mia.taken()).toEqual([PRICE, PRICE]);
});

test('P11 a customer with manual renewal, or renewal turned off, is not charged by a saved card', async () => {
  const [nia, oda] = [await subscriber(shop, 'nia'), await subscriber(shop, 'oda')];
  await nia.forgetCard();
  await shop.db
    .updateTable('attempt')
    .set({ method: 'bitcoin' })
    .where('method', '=', 'card')
    .where(
      'invoice_id',
      'in',
      (await nia.invoices()).map(({ id }) => id),
    )
    .execute();
  await oda.cardIs('pm_card_chargeCustomerFail');
  await nia.at(0);
  await oda.at(0);
  expect([(await nia.row()).status, (await oda.row()).status]).toEqual(['pastDue', 'pastDue']);
  await (await oda.now()).subscription.cancelSubscription({ body: { id: oda.subscriptionId } });
  for (const person of [nia, oda]) {
    const card = await makeCard(shop);
    expect((await (await person.now()).payment.getCard()).data?.owed).toEqual([]);
    expect((await (await person.now()).payment.updPayment({ body: { card } })).code).toBe('0000');
  }
  await shop.sweep();
  expect([await nia.taken(), await oda.taken()]).toEqual([[PRICE], [PRICE]]);
});

/** Sends coins for somebody's renewal, which the network has seen but no block contains yet. */
async function sendCoins(person: Awaited<ReturnType<typeof subscriber>>, share = 1) {
  const { openInvoice } = await shownTo(person);
  const body = { invoiceId: openInvoice!.id, paymentMethod: 'bitcoin' as const };
  expect((await (await person.now()).payment.payment({ body })).code).toBe('0000');
  const coins = async () => (await person.attempts())[0]!;
  const { provider_ref: invoice } = await coins();
  await shop.sandbox.control('btcpay/pay', { invoice, share });
  await until(async () => (await coins()).seen > 0, 'coins that were seen');
  return { ...person, invoice };
}

test('B16 a customer whose payment is on its way gets no more reminders, and an open page says so', async () => {
  const wes = await subscriber(shop, 'wes');
  await wes.forgetCard();
  for (const days of [-7, -1, -0.01]) await wes.at(days);
  const body = { email: wes.email, password: PASSWORD };
  const socket = await connect(shop.url, (await shop.client.auth.login({ body })).token!);
  const heard: unknown[] = [];
  socket.on('SUBSCRIPTION', said => heard.push(said));
  expect((await shownTo(wes)).openInvoice).toMatchObject({ onItsWay: false });
  const { invoice } = await sendCoins(wes);
  await until(async () => heard.length > 0, 'the news');
  socket.close();
  for (const days of [0, 2]) {
    await wes.at(days);
    expect(await shownTo(wes)).toMatchObject({ status: 'active', openInvoice: { onItsWay: true } });
  }
  expect(await wes.emails(/please pay/)).toBe(2);
  await shop.sandbox.control('btcpay/confirm', { invoice });
  await until(async () => (await wes.periods()).length === 2, 'the block that took them');
  expectWithoutGap(await wes.periods());
});

test('B16 a customer whose card was refused for good gets no reminder either while a payment is on its way', async () => {
  const yui = await subscriber(shop, 'yui');
  await yui.cardIs('pm_card_authenticationRequired');
  await yui.at(-1);
  await yui.at(0);
  const before = await yui.emails(/please pay/);
  const { invoice } = await sendCoins(yui);
  for (const days of [1, 3]) await yui.at(days);
  expect(await yui.emails(/please pay/)).toBe(before);
  await shop.sandbox.control('btcpay/confirm', { invoice });
  await until(async () => (await yui.periods()).length === 2, 'the block that took them');
});

test('B16 a customer who has sent a part is asked for the rest', async () => {
  const xia = await subscriber(shop, 'xia');
  await xia.forgetCard();
  for (const days of [-7, -1, -0.01]) await xia.at(days);
  const { invoice } = await sendCoins(xia, 0.5);
  await xia.at(0);
  expect(await shownTo(xia)).toMatchObject({ status: 'pastDue', openInvoice: { onItsWay: false } });
  expect(await xia.emails(/please pay/)).toBe(3);
  await shop.sandbox.control('btcpay/confirm', { invoice });
});

test('B16 a manual payment on the last day is waited for, at most for a day', async () => {
  const payLate = async (name: string) => {
    const person = await subscriber(shop, name);
    await person.forgetCard();
    // The invoice was sent in time, so the sixth day is the last.
    for (const days of [-7, -1, 5.99]) await person.at(days);
    return sendCoins(person);
  };
  const status = async ({ row }: { row: typeof uma.row }) => (await row()).status;
  const uma = await payLate('uma');
  for (const days of [6.01, 6.5]) await uma.at(days);
  expect(await status(uma)).toBe('pastDue');
  await shop.sandbox.control('btcpay/confirm', { invoice: uma.invoice });
  await until(async () => (await status(uma)) === 'active', 'the block that took them');
  expectWithoutGap(await uma.periods());
  // Coins without a block give no free service.
  const val = await payLate('val');
  for (const days of [6.01, 6.99]) await val.at(days);
  expect(await status(val)).toBe('pastDue');
  await val.at(7.01);
  expect(await status(val)).toBe('expired');
  // They arrive after all, and their period counts.
  await shop.sandbox.control('btcpay/confirm', { invoice: val.invoice });
  const credit = async () => {
    await shop.sweep();
    return (await (await val.now()).payment.getCard()).data!.credit;
  };
  await until(async () => (await credit()).some(({ amount }) => amount === PRICE), 'their credit');
});

test('FS1 O9 a gift charges its owner nothing by itself; once they pay for it, it renews as theirs', async () => {
  const kim = await subscriber(shop, 'kim');
  await (await kim.now()).subscription.cancelSubscription({ body: { id: kim.subscriptionId } });
  // Somebody mistyped an address, for example.
  const { metadata } = await buyAsVisitor(shop, kim.email);
  const { id: subscriptionId } = await until(async () => {
    const { data } = await shop.client.order.purchaseData({ body: { metadata } });
    return data?.subscription?.status === 'active' && data.subscription;
  }, 'what was given');
  const given = await followed(shop, { email: kim.email, subscriptionId });
  await given.credit(50_00);
  await given.at(-8);
  expect(await shownTo(given)).toMatchObject({ byHand: true, isGift: true });
  // They have another subscription, so each email leaves some minutes later.
  for (const days of [-7, -6.5, -1, -0.5, 0, 0.5]) await given.at(days);
  expect(await given.emails(/please pay/)).toBe(3);
  const { status, openInvoice } = await shownTo(given);
  expect([status, openInvoice!.amount, await given.taken()]).toEqual(['pastDue', PRICE, [PRICE]]);
  const client = await given.now();
  const { owed, cards } = (await client.payment.getCard()).data!;
  expect(owed).toEqual([]);
  const body = { invoiceId: openInvoice!.id, paymentMethod: 'card' as const, cardId: cards[0]!.id };
  expect((await client.payment.payment({ body })).data).toEqual({ status: 'paid' });
  expect(await shownTo(given)).toMatchObject({ status: 'active', byHand: false, isGift: false });
  await given.liveUntil(new Date((await given.row()).period_end!.getTime() - DAY_MS + 1000));
  expect((await given.taken()).toSorted((one, other) => one - other)).toEqual([PRICE - 50_00, PRICE, PRICE]);
});

test('credit is used first; when it is enough, nothing is charged', async () => {
  const fay = await subscriber(shop, 'fay');
  await fay.credit(PRICE + 50_00);
  await fay.at(-3);
  expect(plain(await fay.message(/renews on/))).toMatch(/Your credit pays the THB 199\.00/);
  await fay.at(-1);
  expect(await fay.taken()).toHaveLength(1);
  expect((await fay.invoices()).at(-1)).toMatchObject({ status: 'paid', credit_used: PRICE });
  const { period_end } = await fay.row();
  await fay.liveUntil(new Date(period_end!.getTime() - 2 * DAY_MS));
  // The email names the charge and why it is lower.
  const reminder = plain(await fay.message(/The price is/));
  expect(reminder).toMatch(
    /We’ll charge THB 149\.00[\s\S]*The price is THB 199\.00\. Your credit pays THB 50\.00/,
  );
  await fay.liveUntil(new Date(period_end!.getTime() - DAY_MS));
  expect((await fay.taken()).sort()).toEqual([PRICE - 50_00, PRICE].sort());
});

test('two workers at once, both late, send one reminder, and a day later create one invoice and one charge', async () => {
  const gus = await subscriber(shop, 'gus');
  const lateBy = async (days: number) => {
    shop.clock.advance(gus.firstEnd.getTime() + days * DAY_MS - shop.clock.now().getTime());
    await Promise.all([shop.runTasks(), shop.runTasks(), shop.runTasks()]);
    await shop.sweep();
  };
  await lateBy(5);
  expect([await gus.emails(/renews on/), (await gus.taken()).length]).toEqual([1, 1]);
  await lateBy(6);
  expect((await gus.invoices()).map(({ purpose }) => purpose)).toEqual(['purchase', 'renewal']);
  expect(await gus.taken()).toEqual([PRICE, PRICE]);
  expect((await gus.row()).period_start).toEqual(gus.firstEnd);
});

// Regression: whoever cancelled each month after six unpaid days, and reactivated, paid for 30 days of 36.
test('days beyond a paid period that nobody paid for are not given again for a year', async () => {
  const ivy = await subscriber(shop, 'ivy');
  await ivy.forgetCard();
  await ivy.liveUntil(new Date(ivy.firstEnd.getTime() + 5.9 * DAY_MS));
  expect((await ivy.row()).status).toBe('pastDue');
  await (await ivy.now()).subscription.cancelSubscription({ body: { id: ivy.subscriptionId } });
  shop.clock.advance(60_000);
  await shop.sweep();
  expect((await ivy.row()).status).toBe('expired');
  await takeUpAgain(shop, ivy);
  await ivy.forgetCard();
  const end = (await ivy.row()).period_end!;
  await ivy.liveUntil(new Date(end.getTime() - DAY_MS / 2));
  expect((await shownTo(ivy)).openInvoice!.until).toBe(end.toISOString());
  await ivy.liveUntil(new Date(end.getTime() + 60_000));
  expect((await ivy.row()).status).toBe('expired');
});

test('U48 a customer whose card expires before the next charge is told once, unless renewal is off', async () => {
  const [nell, omar] = [await subscriber(shop, 'nell'), await subscriber(shop, 'omar')];
  const { year, month } = bangkokDate(nell.firstEnd);
  const card = { expiryMonth: (month % 12) + 1, expiryYear: month === 12 ? year + 1 : year };
  const save = async (person: typeof nell) => {
    const printed = { exp_month: String(card.expiryMonth), exp_year: String(card.expiryYear) };
    const made = await makeCard(shop, printed);
    expect((await (await person.now()).payment.updPayment({ body: { card: made } })).code).toBe('0000');
  };
  await save(nell);
  await save(omar);
  const charged = async () => (await nell.row()).period_end!.getTime() - DAY_MS;
  while ((await charged()) < cardEnd(card).getTime()) {
    expect(await nell.emails(/card expires/)).toBe(0);
    await nell.liveUntil(new Date((await charged()) + 1000));
  }
  const body = { id: omar.subscriptionId };
  await (await omar.now()).subscription.cancelSubscription({ body });
  // A day after the last possible charge.
  await nell.liveUntil(new Date(shop.clock.now().getTime() + 1.1 * DAY_MS));
  const message = await nell.message(/card expires before your next payment/);
  expect(message.Text).toContain('•••• 4242');
  expect(message.Text).toContain('/management/billing');
  await nell.liveUntil(new Date(shop.clock.now().getTime() + 8 * DAY_MS));
  expect([await nell.emails(/card expires/), await omar.emails(/card expires/)]).toEqual([1, 0]);
});
