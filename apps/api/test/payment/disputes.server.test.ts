import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  beginOrder,
  cardPaymentOf,
  confirmCard,
  emailTo,
  paypalOrderOf,
  until,
} from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { checkDatabase } from '../../src/modules/books/index.ts';
import { disputeEvidence } from '../../src/modules/payment/index.ts';
import { orderElsewhere } from '../checkout/replacing.ts';
import { buyPlan, previewPlan } from '../checkout/upgrading.ts';
import { confirmedCommand, shopCommand } from '../helpers/shop-command.ts';
import { whileLocked } from '../helpers/while-locked.ts';
import { leaveAlone, subscriber, takeUpAgain } from '../subscription/renewing.ts';
import { paypalBuyers } from './paypal-buyers.ts';

/**
 * Disputes with suspension of the service, on an account that settles in another currency than it sells in.
 * refunds.server.test.ts covers disputes without suspension, with each currency settled in its own.
 */
const DAY_MS = 24 * 60 * 60_000;
let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop({ DISPUTED_SERVICE: 'suspend', WITHDRAWAL: 'FR:full' });
  await shop.sandbox.control('settlement', { currency: 'usd' });
});
afterEach(async () => {
  expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);
  await leaveAlone(shop);
});
afterAll(() => shop?.stop());

/** Creates a customer with one key, whose payment can be disputed. */
async function newCustomer(name: string) {
  const { client, email, subscriptionId } = await shop.customer(name);
  await client.subscription.addKey({ body: { subscriptionId, name: 'phone' } });
  const invoice = (await client.billing.myBilling()).data!.items[0]!;
  const { provider_ref } = await shop.db
    .selectFrom('attempt')
    .select('provider_ref')
    .where('invoice_id', '=', invoice.id)
    .executeTakeFirstOrThrow();
  const letsIn = (keys: number) =>
    until(async () => {
      const served = shop.host.set()?.subscriptions.find(({ id }) => id === subscriptionId);
      return served?.keys.length === keys;
    }, `a host that lets ${keys} in`);
  await letsIn(1);
  return {
    client,
    email,
    subscriptionId,
    invoice,
    letsIn,
    open: () => shop.sandbox.control('disputes/open', { payment_intent: provider_ref }),
    shown: async () => (await client.subscription.getSubscription({ query: { id: subscriptionId } })).data!,
    detail: async () => (await client.billing.getBilling({ params: { id: invoice.id } })).data!,
  };
}
const alertOf = (dispute: string) =>
  shop.db
    .selectFrom('open_alert')
    .select('kind')
    .where('kind', '=', 'dispute')
    .where('subject', '=', dispute)
    .executeTakeFirst();
const decided = async (dispute: string, outcome: 'won' | 'lost') => {
  await shop.sandbox.control('disputes/close', { dispute, outcome });
  await until(async () => {
    const row = await shop.db
      .selectFrom('dispute')
      .select('status')
      .where('provider_ref', '=', dispute)
      .executeTakeFirst();
    return row?.status === outcome;
  }, `the dispute to be ${outcome}`);
};

test('FS9 S44 from a dispute until it is won no key is accepted, and the customer reads why', async () => {
  const { subscriptionId, letsIn, open, shown, detail } = await newCustomer('wins');
  const { id } = await open();
  await letsIn(0);
  expect(await shown()).toMatchObject({ status: 'active', suspended: true });
  const early = await shopCommand(shop, 'dispute', 'restore', subscriptionId);
  expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('is still disputed') });
  await decided(id, 'won');
  await letsIn(1);
  expect(await shown()).toMatchObject({ status: 'active', suspended: false });
  expect((await detail()).creditNotes).toEqual([]);
});

test('FS9 M17 a lost dispute leaves a credit note with its email; staff restores the keys', async () => {
  const { email, subscriptionId, invoice, letsIn, open, shown, detail } = await newCustomer('loses');
  const { id } = await open();
  await letsIn(0);
  await decided(id, 'lost');
  const { creditNotes, total } = await detail();
  expect(creditNotes).toMatchObject([{ reason: 'Payment disputed', total }]);
  const { number } = creditNotes[0]!;
  const message = await emailTo(shop, email, new RegExp(number));
  expect(message.Subject).toBe(`Credit note ${number}`);
  expect(message.Text.replaceAll('\u00a0', ' ')).toMatch(/was disputed, and THB 199\.00 of it went back/);
  // The payer has the money: sending it again would pay twice.
  const again = await shopCommand(shop, 'refund', number, '--again');
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining(id) });
  const rest = await shopCommand(shop, 'refund', invoice.number!, '--reason', 'x');
  expect(rest).toMatchObject({ code: 1, stderr: expect.stringContaining('was refunded') });
  expect((await shown()).suspended).toBe(true);
  expect(await shopCommand(shop, 'dispute', 'restore', subscriptionId)).toMatchObject({ code: 0 });
  await letsIn(1);
});

test('P41 a fee reported long after suspends nothing that staff has restored', async () => {
  const buyers = paypalBuyers(shop);
  const order = await buyers.newOrder('costs-a-fee');
  const paypal = paypalOrderOf(await order.press());
  await buyers.agree(paypal);
  await buyers.is(order, 'fulfilled');
  const { capture } = (await buyers.capturesOf(paypal))[0]!;
  const { id: dispute } = await shop.sandbox.control('paypal/disputes/open', { capture });
  const { subscription_id: id } = await until(async () => {
    const paid = shop.db.selectFrom('attempt').innerJoin('invoice', 'invoice.id', 'attempt.invoice_id');
    return paid.select('subscription_id').where('charge_ref', '=', capture).executeTakeFirst();
  }, 'what was paid for');
  const suspended = async () =>
    (await shop.db.selectFrom('subscription').selectAll().where('id', '=', id!).executeTakeFirstOrThrow())
      .suspended;
  await until(suspended, 'suspended');
  await shop.sandbox.control('paypal/disputes/close', { dispute, outcome: 'lost' });
  const known = () =>
    shop.db.selectFrom('dispute').selectAll().where('provider_ref', '=', dispute).executeTakeFirstOrThrow();
  await until(async () => (await known()).status === 'lost', 'the loss');
  expect(await suspended()).toBe(true);
  expect(await shopCommand(shop, 'dispute', 'restore', id!)).toMatchObject({ code: 0 });
  shop.clock.advance(DAY_MS);
  await shop.sandbox.control('paypal/disputes/fee', { dispute, amount: 250_00 });
  // The hourly comparison finds it.
  await until(async () => {
    shop.clock.advance(DAY_MS / 12);
    await shop.sweep();
    return (await known()).fee === 250_00;
  }, 'its fee');
  expect(await suspended()).toBe(false);
});

test('M17 an earlier refund is not credited twice', async () => {
  const { invoice, open, detail } = await newCustomer('got-a-part');
  const part = ['refund', invoice.number!, '--amount', '50', '--reason', 'Host was down'];
  await confirmedCommand(shop, ...part);
  await shop.sweep();
  const { id } = await open();
  await decided(id, 'lost');
  const { creditNotes, total } = await detail();
  const prices = creditNotes.map(note => note.total.price);
  expect(prices.toSorted((a, b) => a - b)).toEqual([50_00, total.price - 50_00]);
});

/** Amounts due to payers, and losses, in all books of this file. */
const booked = async () => {
  const sums = await shop.db
    .selectFrom('ledger_entry')
    .select(({ fn }) => ['account', fn.sum('amount').as('sum')])
    .where('account', 'in', ['refundsDue', 'writeOff'])
    .groupBy('account')
    .execute();
  return Object.fromEntries(sums.map(({ account, sum }) => [account, Number(sum)]));
};

test('S44 a disputed renewal is answered with the evidence of the first order', async () => {
  const renews = await subscriber(shop, 'renews');
  await renews.at(-0.9);
  const { provider_ref: payment } = await shop.db
    .selectFrom('attempt')
    .innerJoin('invoice', 'invoice.id', 'attempt.invoice_id')
    .select('attempt.provider_ref')
    .where('invoice.subscription_id', '=', renews.subscriptionId)
    .where('invoice.purpose', '=', 'renewal')
    .executeTakeFirstOrThrow();
  const { id } = await shop.sandbox.control<{ id: string }>('disputes/open', { payment_intent: payment });
  const evidence = await until(() => disputeEvidence(shop.db, id), 'the dispute');
  expect(evidence).toMatchObject({
    invoice: { isRenewal: true, total: 199_00 },
    order: { email: renews.email, termsVersion: expect.stringMatching(/./) },
    delivery: { startedAt: expect.any(Date) },
  });
  const file = join(tmpdir(), `${id}.txt`);
  expect((await shopCommand(shop, 'dispute', 'evidence', id, '--output', file)).code).toBe(0);
  const text = await readFile(file, 'utf8');
  await rm(file);
  // With the wording itself, not only its name.
  expect(text).toContain(
    `Terms of service, version ${evidence!.order!.termsVersion}\n1. Who we are\nThese terms apply between you and`,
  );
});

test('P23 M17 waiting refunds of a disputed payment end when it is lost: the money went back once', async () => {
  const before = await booked();
  const { client, email, subscriptionId, invoice, open, detail } =
    await newCustomer('withdraws-and-disputes');
  const { id } = await open();
  await until(async () => (await alertOf(id)) !== undefined, 'the dispute');
  // The buyer withdraws, which waits for the dispute. Staff is not offered to refund what may go by it.
  const byStaff = await shopCommand(shop, 'refund', invoice.number!, '--reason', 'Host was down');
  expect(byStaff.stderr).toContain(`the payment of ${invoice.number} is disputed`);
  const of = { id: subscriptionId, country: 'FR' };
  const back = (await client.subscription.withdrawal({ query: of })).data!;
  expect((await client.subscription.withdraw({ body: { ...of, back } })).code).toBe('0000');
  await shop.sweep();
  await decided(id, 'lost');
  shop.clock.advance(2 * 60_000);
  await shop.sweep();
  const { creditNotes, total } = await detail();
  expect(creditNotes.map(note => note.total.price)).toEqual([total.price]);
  const refunds = await shop.db
    .selectFrom('refund')
    .innerJoin('attempt', 'attempt.id', 'refund.attempt_id')
    .select(['refund.status', 'refund.tries'])
    .where('invoice_id', '=', invoice.id)
    .execute();
  expect(refunds).toEqual([{ status: 'failed', tries: 0 }]);
  expect(await booked()).toEqual(before);
  // Its email says what became of the money, which the waiting refund did not know.
  expect((await emailTo(shop, email, /Credit note/)).Text).toContain('was disputed, and');
  const again = await shopCommand(shop, 'refund', creditNotes[0]!.number, '--again');
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining(id) });
});

test('an event of a dispute and a withdrawal at the same moment do not deadlock', async () => {
  const { subscriptionId, open, letsIn } = await newCustomer('in-one-moment');
  const lock = `select from subscription where id = '${subscriptionId}' for update`;
  const { id } = await whileLocked(shop, lock, open, holder =>
    // Locks that a withdrawal takes next, which the waiting event must not hold.
    holder.query(`select from shop_order
      where id = (select order_id from subscription where id = '${subscriptionId}') for update nowait`),
  );
  await letsIn(0);
  await decided(id, 'won');
});

test('FS9 M17 a dispute about money that paid for a replacement suspends the replacement', async () => {
  const moves = await newCustomer('moves');
  const { client, invoice, open } = moves;
  const order = await orderElsewhere(client, moves);
  expect((await buyPlan(client, order)).code).toBe('0000');
  const taker = await until(async () => {
    const { subscription } = (await client.order.purchaseData({ body: { metadata: order.metadata } })).data!;
    return subscription?.status === 'active' && subscription.id;
  }, 'the new one');
  const suspended = (is: boolean) =>
    until(async () => {
      const { data } = await client.subscription.getSubscription({ query: { id: taker } });
      return data!.suspended === is;
    }, `suspended: ${is}`);
  const { id } = await open();
  await suspended(true);
  const { what } = await shop.db
    .selectFrom('open_alert')
    .select('what')
    .where('subject', '=', id)
    .executeTakeFirstOrThrow();
  expect(what).toMatchObject({ subscription: expect.stringContaining(taker) });
  expect((await shopCommand(shop, 'dispute')).stdout).toContain(taker);
  const early = await shopCommand(shop, 'dispute', 'restore', taker);
  expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('is still disputed') });
  await decided(id, 'lost');
  // Its days were used as payment already, so the day that had begun is all that is left to reduce.
  const notes = (await moves.detail()).creditNotes.map(note => note.total.price);
  expect(notes).toEqual([order.prorated, invoice.total.price - order.prorated]);
  const rest = await shopCommand(shop, 'refund', invoice.number!, '--reason', 'x');
  expect(rest.code).toBe(1);
  expect(await shopCommand(shop, 'dispute', 'restore', taker)).toMatchObject({ code: 0, stderr: '' });
  await suspended(false);
});

test('M17 a dispute that a guest’s bank decides before the delivery is credited at the delivery', async () => {
  const { consent, metadata } = await beginOrder(shop.client);
  const body = { ...consent, email: 'early@example.com', language: 'en' as const };
  const intent = cardPaymentOf((await shop.client.order.purchase({ body })).data);
  // A missing part of the order prevents its delivery.
  const order = shop.db.updateTable('shop_order').where('email', '=', body.email);
  await order.set({ language: null }).execute();
  await confirmCard(shop, intent);
  const statusIs = (status: string) =>
    until(async () => {
      const { data } = await shop.client.order.purchaseData({ body: { metadata } });
      return data?.status === status;
    }, `an order that is ${status}`);
  await statusIs('paid');
  const { id } = await shop.sandbox.control('disputes/open', { payment_intent: intent });
  await decided(id, 'lost');
  expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);
  await order.set({ language: 'en' }).execute();
  shop.clock.advance(2 * 60_000);
  await shop.runTasks();
  await statusIs('fulfilled');
  expect((await emailTo(shop, body.email, /Credit note/)).Text).toContain('was disputed');
});

describe('FS9 P23 a suspended subscription is not charged', () => {
  /** Creates a customer whose purchase is disputed `days` after (negative: before) the end of its period. */
  async function disputed(name: string, days: number, prepare?: (p: Person) => Promise<void>) {
    const person = await subscriber(shop, name);
    await prepare?.(person);
    await person.at(days);
    const { provider_ref: payment_intent } = await shop.db
      .selectFrom('attempt')
      .innerJoin('invoice', 'invoice.id', 'attempt.invoice_id')
      .select('attempt.provider_ref')
      .where('invoice.subscription_id', '=', person.subscriptionId)
      .where('invoice.purpose', '=', 'purchase')
      .executeTakeFirstOrThrow();
    const { id } = await shop.sandbox.control('disputes/open', { payment_intent });
    await until(async () => (await person.row()).suspended, 'suspended');
    return { ...person, dispute: id };
  }
  type Person = Awaited<ReturnType<typeof subscriber>>;

  test('it is not invoiced, reminded or upgraded either: it ends with its paid period, and its address is reserved', async () => {
    const ann = await disputed('rests', -10);
    const client = await ann.now();
    expect(await previewPlan(client, ann, 'plus')).toMatchObject({ code: '7004' });
    for (const days of [-3, -1]) await ann.at(days);
    expect([(await ann.row()).status, await ann.chargeTries(), (await ann.invoices()).length]).toEqual([
      'active',
      1,
      1,
    ]);
    await ann.at(0);
    expect([(await ann.row()).status, await ann.chargeTries(), await ann.emails(/renews on/)]).toEqual([
      'expired',
      1,
      0,
    ]);
    expect((await ann.message(/has ended/)).Text).toContain('the same address');
    // A later decision does not affect a reactivation, which is paid for.
    await decided(ann.dispute, 'won');
    expect(await ann.row()).toMatchObject({ status: 'expired', suspended: false });
  });

  test('its reactivation is paid for and stays, whatever becomes of the former payment', async () => {
    const dee = await disputed('comes-back', -2);
    await dee.at(0);
    expect((await dee.row()).status).toBe('expired');
    await takeUpAgain(shop, dee);
    // The dispute is polled every day.
    const nextPoll = async () =>
      (
        await shop.db
          .selectFrom('dispute')
          .select('ask_at')
          .where('provider_ref', '=', dee.dispute)
          .executeTakeFirstOrThrow()
      ).ask_at!;
    const next = (await nextPoll()).getTime();
    await dee.at(2);
    await until(async () => (await nextPoll()).getTime() > next, 'the question');
    expect((await dee.row()).suspended).toBe(false);
    await decided(dee.dispute, 'lost');
    expect(await dee.row()).toMatchObject({ status: 'active', suspended: false });
  });

  test('a past-due amount is not requested any more; won before the end, the subscription renews as usual', async () => {
    const ben = await disputed('owes', -0.5, one => one.cardIs('pm_card_chargeCustomerFail'));
    const open = async () => (await ben.invoices()).filter(({ status }) => status === 'open');
    expect([(await ben.row()).status, await open()]).toEqual(['pastDue', []]);
    await ben.cardIs('pm_card_visa');
    await decided(ben.dispute, 'won');
    await shop.sweep();
    expect((await ben.row()).period_start).toEqual(ben.firstEnd);
    expect(await ben.taken()).toEqual([199_00, 199_00]);
    const cat = await disputed('owes-still', 1, one => one.cardIs('pm_card_chargeCustomerFail'));
    await shop.sweep();
    expect([(await cat.row()).status, await cat.taken()]).toEqual(['expired', [199_00]]);
  });
});
