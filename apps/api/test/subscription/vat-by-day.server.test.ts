import {
  beginOrder,
  buyAsVisitor,
  cardPaymentOf,
  confirmCard,
  emailTo,
  until,
} from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/adapters/system-clock.ts';
import { confirmedCommand, shopCommand } from '../helpers/shop-command.ts';
import { subscriber } from './renewing.ts';
import { dayOf } from './repricing.ts';

/** A rate of VAT that changes on a day, with customers before and after it. The clock goes over that day. */
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop?.stop());

type Subscriber = Awaited<ReturnType<typeof subscriber>>;
const announced = async (who: Subscriber) =>
  (await (await who.now()).subscription.getSubscription({ query: { id: who.subscriptionId } })).data!;
/** Rate and amounts of a subscription's invoices, the oldest first. */
const billed = async (id: string) =>
  (
    await shop.db
      .selectFrom('invoice_line')
      .innerJoin('invoice', 'invoice.id', 'invoice_line.invoice_id')
      .select(['invoice_line.total', 'invoice_line.vat', 'vat_rate_bp', 'invoice.status'])
      .where('subscription_id', '=', id)
      .where('status', '<>', 'void')
      .orderBy('invoice.created_at')
      .execute()
  ).map(({ total, vat, vat_rate_bp, status }) => [total, vat, vat_rate_bp, status]);
const at7 = [199_00, 13_02, 700, 'paid'];
const at10 = [199_00, 18_09, 1000, 'paid'];

async function payOpen(who: Subscriber) {
  const client = await who.now();
  const open = (await announced(who)).openInvoice!;
  await client.payment.payment({ body: { invoiceId: open.id, paymentMethod: 'bitcoin' } });
  const { provider_ref: invoice } = await shop.db
    .selectFrom('attempt')
    .select('provider_ref')
    .where('invoice_id', '=', open.id)
    .executeTakeFirstOrThrow();
  await shop.sandbox.control('btcpay/pay', { invoice });
  await shop.sandbox.control('btcpay/confirm', { invoice });
  await client.payment.askInvoice({ body: { invoiceId: open.id } });
  await shop.sweep();
}

const booksBalance = async () => {
  const ahead_ms = shop.clock.now().getTime() - systemClock.now().getTime();
  await shop.db.updateTable('shop_clock').set({ ahead_ms }).execute();
  expect((await shopCommand(shop, 'books', '--database')).stdout).toContain('The books balance.');
};

test('MO6 MO7 whoever bought when: every payment has the rate of its day, and everybody is told before', async () => {
  const [auto, manual] = [await subscriber(shop, 'auto'), await subscriber(shop, 'manual')];
  await manual.forgetCard();
  // More than 31 days from now also in February, and while an invoice can still be paid.
  const day = dayOf(new Date(auto.firstEnd.getTime() + 5 * DAY_MS));
  const midnight = new Date(`${day}T00:00:00+07:00`);
  const change = { country: 'TH', from_day: day, rate_bp: 1000 };
  await shop.db.insertInto('vat_change').values(change).execute();
  const to = async (at: Date) => {
    shop.clock.advance(at.getTime() - shop.clock.now().getTime());
    await shop.sweep();
  };
  /** Advances time from one due instant of these subscriptions to the next. */
  const liveUntil = async (people: readonly (typeof auto)[], end: Date) => {
    for (;;) {
      const dues = (await Promise.all(people.map(person => person.row()))).map(({ due_at }) => due_at ?? end);
      const next = new Date(Math.max(Math.min(...dues.map(Number)), shop.clock.now().getTime() + 60_000));
      if (next >= end) return to(end);
      await to(next);
    }
  };
  // Nobody is told earlier than 31 days before.
  await shop.sweep();
  expect((await announced(auto)).announcedVat).toBeUndefined();
  await to(new Date(midnight.getTime() - 30.5 * DAY_MS));
  for (const who of [auto, manual]) {
    const message = await who.message(/VAT on your Solo plan changes/);
    for (const text of [message.Text, message.HTML]) expect(text).toMatch(/from 7% to 10%/);
    expect((await announced(who)).announcedVat).toEqual({ rateBp: 1000, from: midnight.toISOString() });
  }
  // Whoever buys now sees it before they pay, and is told at once.
  const { data: priced } = await shop.client.order.getProduct({
    body: {
      planId: 'solo',
      cycleCount: 12,
      providerId: 'demo',
      regionId: 'th-bkk',
      vendorId: 'fixpoint',
      currency: 'THB',
    },
  });
  expect(priced).toMatchObject({ vatRate: 0.07, comingVat: { rateBp: 1000, from: midnight.toISOString() } });
  const between = await subscriber(shop, 'between');
  await shop.sweep();
  await between.message(/VAT on your Solo plan changes/);
  // Also of a renewal that is a year away.
  const yearly = 'yearly@example.com';
  const { metadata } = await buyAsVisitor(shop, yearly, { cycleCount: 12 });
  await until(async () => {
    const { data } = await shop.client.order.purchaseData({ body: { metadata } });
    return data?.subscription?.status === 'active';
  }, 'the subscription of a year');
  shop.clock.advance(HOUR_MS);
  await shop.sweep();
  await emailTo(shop, yearly, /VAT on your Solo plan changes/);

  // Charged before the day: the old rate, although most of the period lies after it.
  await auto.liveUntil(new Date(midnight.getTime() - HOUR_MS));
  expect(await billed(auto.subscriptionId)).toEqual([at7, at7]);
  expect((await announced(auto)).renewal).toMatchObject({ price: 199_00, vat: 18_09 });
  expect(await billed(manual.subscriptionId)).toEqual([at7, [199_00, 13_02, 700, 'open']]);
  // An order and a renewal from before the day, paid on it.
  const late = await beginOrder(shop.client);
  const bought = await shop.client.order.purchase({
    body: { ...late.consent, email: 'midnight@example.com', language: 'en' },
  });
  shop.clock.advance(2 * HOUR_MS);
  await confirmCard(shop, cardPaymentOf(bought.data));
  await shop.client.order.confirmPurchase({ body: { metadata: late.metadata } });
  const midnightId = await until(async () => {
    const { data } = await shop.client.order.purchaseData({ body: { metadata: late.metadata } });
    return data?.subscription?.status === 'active' && data.subscription.id;
  }, 'the subscription of midnight');
  expect(await billed(midnightId)).toEqual([at10]);
  const shown = await shop.client.order.purchaseData({ body: { metadata: late.metadata } });
  expect(shown.data!.total).toMatchObject({ price: 199_00, vat: 18_09 });
  await payOpen(manual);
  expect(await billed(manual.subscriptionId)).toEqual([at7, at10]);
  expect((await announced(manual)).announcedVat).toBeUndefined();

  // The next renewals of those who bought before the change was known, and between.
  await liveUntil([auto, between], new Date(midnight.getTime() + 32 * DAY_MS));
  expect(await billed(auto.subscriptionId)).toEqual([at7, at7, at10]);
  expect((await billed(between.subscriptionId)).at(-1)).toEqual(at10);
  // Told once each.
  for (const who of [auto, manual, between]) expect(await who.emails(/VAT on your/)).toBe(1);
  await booksBalance();

  // A refund has the rate of the invoice that it corrects.
  const { number } = (await auto.invoices())[1]!;
  const part = ['refund', number!, '--amount', '20', '--reason', 'Sorry'];
  await confirmedCommand(shop, ...part);
  expect(await shop.db.selectFrom('credit_note').select(['vat_rate_bp', 'vat', 'total']).execute()).toEqual([
    { vat_rate_bp: 700, vat: 1_31, total: 20_00 },
  ]);
  await shop.sweep();
  await booksBalance();
});

test('MO6 a change that the catalogue no longer names is revoked, one that version 0.2 announced is not', async () => {
  const [told, before] = [await subscriber(shop, 'told'), await subscriber(shop, 'before')];
  const from = new Date(shop.clock.now().getTime() + 10 * DAY_MS);
  const change = { country: 'TH', from_day: dayOf(from), rate_bp: 1200 };
  await shop.db
    .updateTable('subscription')
    .set({ announced_vat_rate_bp: 1500, announced_vat_from: from })
    .where('id', '=', before.subscriptionId)
    .execute();
  await shop.db.insertInto('vat_change').values(change).execute();
  shop.clock.advance(HOUR_MS);
  await shop.sweep();
  await told.message(/VAT on your Solo plan changes/);
  await shop.db.deleteFrom('vat_change').where('from_day', '=', change.from_day).execute();
  shop.clock.advance(HOUR_MS);
  await shop.sweep();
  await told.message(/The change to the price of your Solo plan is off/);
  expect((await announced(told)).announcedVat).toBeUndefined();
  expect((await announced(before)).announcedVat).toMatchObject({ rateBp: 1500 });
});

test('MO6 who does not renew is not told, and is told as soon as they do', async () => {
  const who = await subscriber(shop, 'resumes');
  const body = { id: who.subscriptionId };
  await (await who.now()).subscription.cancelSubscription({ body });
  const from_day = dayOf(new Date(shop.clock.now().getTime() + 10 * DAY_MS));
  await shop.db.insertInto('vat_change').values({ country: 'TH', from_day, rate_bp: 1300 }).execute();
  shop.clock.advance(HOUR_MS);
  await shop.sweep();
  expect(await who.row()).toMatchObject({ announced_vat_rate_bp: null, announced_vat_day: null });
  await (await who.now()).subscription.cancelSubscription({ body: { ...body, undo: true } });
  shop.clock.advance(HOUR_MS);
  await shop.sweep();
  await who.message(/VAT on your Solo plan changes/);
  await shop.db.deleteFrom('vat_change').where('from_day', '=', from_day).execute();
});
