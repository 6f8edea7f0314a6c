import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { checkDatabase } from '../../src/modules/books/index.ts';
import { dayInEmails, leaveAlone, subscriber } from './renewing.ts';

/** What happens to renewals after weeks in which no worker ran. */
const PRICE = 199_00;
const DAY_MS = 24 * 60 * 60_000;

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterEach(async () => {
  expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);
  await leaveAlone(shop);
});
afterAll(() => shop?.stop());

type Subscriber = Awaited<ReturnType<typeof subscriber>>;

/** Days without a worker: nothing is done until they are over. */
async function sleep(days: number) {
  shop.clock.advance(days * DAY_MS);
  await shop.sweep();
}
const sleepUntil = ({ firstEnd }: Subscriber, days: number) =>
  sleep((firstEnd.getTime() - shop.clock.now().getTime()) / DAY_MS + days);

/** Emails to a customer that name a day before the one on which they were sent, other than as paid. */
async function emailsOfPastDays({ email }: Subscriber, since: Date): Promise<string[]> {
  const query = encodeURIComponent(`to:${email}`);
  const found = await fetch(`${shop.sandboxUrl}/mail/api/v1/search?limit=1000&query=${query}`);
  const { messages } = (await found.json()) as { messages: { ID: string; Subject: string }[] };
  const past: string[] = [];
  for (const { ID, Subject } of messages) {
    if (/receipt|ready|password/i.test(Subject)) continue;
    const message = await fetch(`${shop.sandboxUrl}/mail/api/v1/message/${ID}`);
    const { Text } = (await message.json()) as { Text: string };
    for (const [day] of Text.matchAll(/(?:[A-Z][a-z]+) \d{1,2}, 20\d\d/g))
      if (new Date(`${day} 23:59:59 GMT+7`) < since) past.push(`${Subject}: ${day}`);
  }
  return past;
}

test('MO12 after 40 days a card is charged one period, a day after a reminder, and the period begins then', async () => {
  const anna = await subscriber(shop, 'anna');
  await sleepUntil(anna, 40);
  expect([(await anna.taken()).length, await anna.emails(/renews on/)]).toEqual([1, 1]);
  const charge = new Date(shop.clock.now().getTime() + DAY_MS);
  const reminder = await anna.message(/renews on/);
  expect(reminder.Text).toContain(`renews on ${dayInEmails(charge)}`);
  expect(reminder.Text).toContain(`before ${dayInEmails(charge)}`);
  const id = anna.subscriptionId;
  const shown = (await (await anna.now()).subscription.getSubscription({ query: { id } })).data!;
  expect(shown).toMatchObject({ billedAt: charge.toISOString() });
  expect(await emailsOfPastDays(anna, shop.clock.now())).toEqual([]);

  await sleep(0.99);
  expect(await anna.taken()).toHaveLength(1);
  await sleep(0.02);
  expect(await anna.taken()).toEqual([PRICE, PRICE]);
  const row = await anna.row();
  expect([row.status, row.period_start, row.anchor_at]).toEqual([
    'active',
    shop.clock.now(),
    shop.clock.now(),
  ]);
  // The host hears of the new end.
  expect(shop.host.set()?.subscriptions.find(one => one.id === id)).toBeDefined();
  expect((await anna.invoices()).map(({ period_start }) => period_start)).toEqual([null, row.period_start]);
  // The next one is charged a month later, after its own reminder.
  await sleep(20);
  expect(await anna.taken()).toHaveLength(2);
  await anna.liveUntil(row.period_end!);
  expect([(await anna.taken()).length, await anna.emails(/renews on/)]).toEqual([3, 2]);
});

test('MO12 an outage that hosts have bridged leaves no gap', async () => {
  const ben = await subscriber(shop, 'ben');
  await sleepUntil(ben, 4);
  await sleep(1.01);
  expect([await ben.taken(), (await ben.row()).period_start]).toEqual([[PRICE, PRICE], ben.firstEnd]);
});

test('MO12 a declined renewal that was forgotten asks again, and charges nothing for the time without service', async () => {
  const cleo = await subscriber(shop, 'cleo');
  await cleo.cardIs('pm_card_chargeCustomerFail');
  await cleo.at(-1);
  expect([(await cleo.row()).status, await cleo.chargeTries()]).toEqual(['pastDue', 2]);
  await cleo.cardIs('pm_card_visa');
  await sleep(40);
  // The invoice of the time that nobody served is void, and its late try was not made.
  expect([await cleo.chargeTries(), await cleo.emails(/renews on/)]).toEqual([2, 1]);
  expect((await cleo.invoices()).at(-1)).toMatchObject({ status: 'void' });
  expect(await emailsOfPastDays(cleo, cleo.firstEnd)).toEqual([]);
  await sleep(1.01);
  expect(await cleo.row()).toMatchObject({ status: 'active', period_start: shop.clock.now() });
  expect(await cleo.taken()).toEqual([PRICE, PRICE]);
});

test('MO12 tries that were missed are made as one', async () => {
  const dan = await subscriber(shop, 'dan');
  await dan.cardIs('pm_card_chargeCustomerFail');
  await dan.at(-1);
  await sleepUntil(dan, 4.5);
  expect([await dan.chargeTries(), await dan.emails(/couldn’t charge/)]).toEqual([3, 2]);
  expect((await dan.row()).tries).toBe(4);
});

test('MO12 a manual renewal gets an invoice for a period that begins when it is paid', async () => {
  const eva = await subscriber(shop, 'eva');
  await eva.forgetCard();
  await sleepUntil(eva, 40);
  const invoice = (await eva.invoices()).at(-1)!;
  expect(invoice).toMatchObject({ status: 'open', period_start: shop.clock.now() });
  const asked = await eva.message(/please pay/);
  expect([await eva.emails(/please pay/), asked.Attachments], 'one email, with the invoice').toMatchObject([
    1,
    [{ ContentType: 'application/pdf' }],
  ]);
  expect(asked.Text).not.toContain('is paid until');
  expect(await emailsOfPastDays(eva, shop.clock.now())).toEqual([]);
});

test('MO12 a subscription that was cancelled ends without an email that it ends soon', async () => {
  const fay = await subscriber(shop, 'fay');
  await (await fay.now()).subscription.cancelSubscription({ body: { id: fay.subscriptionId } });
  await shop.sweep();
  await sleepUntil(fay, 40);
  expect([(await fay.row()).status, await fay.emails(/plan ends on/)]).toEqual(['expired', 0]);
  expect(await fay.emails(/has ended/)).toBe(1);
});
