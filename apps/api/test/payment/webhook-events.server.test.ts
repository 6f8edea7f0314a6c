import { PRICE, text } from '@fixpoint/testkit/given/invoices.ts';
import { type GivenPayments, givenPayments } from '@fixpoint/testkit/given/payments.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listAlerts } from '../../src/modules/alert/index.ts';
import { askInvoice } from '../../src/modules/payment/attempt/poll-attempt.ts';
import { followDispute } from '../../src/modules/payment/dispute/follow-dispute.ts';
import { creditEarlierLosses } from '../../src/modules/payment/dispute/index.ts';
import {
  disputeEvidence,
  markUnrelated,
  openDisputes,
  paymentTasks,
  planRefund,
  refundInvoice,
} from '../../src/modules/payment/index.ts';
import { followRefund } from '../../src/modules/payment/refund/follow-refund.ts';
import { processEvent } from '../../src/modules/payment/webhook-event/process-event.ts';
import { receiveWebhook } from '../../src/modules/payment/webhook-event/receive-webhook.ts';
import type { GatewayBooks } from '../../src/ports/gateway-books.ts';
import type { ReportedDispute, WebhookEvent } from '../../src/ports/payment-gateway.ts';
import { taskNamed } from '../helpers/task-named.ts';

/** Webhook events and disputes, on inserted rows. */
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const FEE = 15_00;
let payments: GivenPayments;
beforeEach(async () => {
  payments = await givenPayments();
});
afterEach(() => payments?.invoices.hosts.stop());

const all = () => payments.invoices.hosts.all;
const later = (ms: number) => payments.invoices.hosts.clock.advance(ms);
const job = (event: string) => ({
  name: 'providerEvent',
  data: { provider: 'stripe', eventId: event },
});
/** Stores a webhook event. */
async function storeEvent(
  event_id: string,
  about: WebhookEvent['about'],
  object_ref: string,
  more: object = {},
) {
  const event = { provider: 'stripe', event_id, type: 'x', about, object_ref, own_id: null, moved: true };
  await all()
    .insertInto('provider_event')
    .values({ ...event, received_at: payments.invoices.now(), ...more })
    .execute();
}
/** @returns whether the event is processed */
async function process(event_id: string): Promise<boolean> {
  await payments.run(() => processEvent(payments.deps, 'stripe', event_id));
  const row = await all()
    .selectFrom('provider_event')
    .select('processed_at')
    .where('event_id', '=', event_id)
    .executeTakeFirst();
  return row?.processed_at !== null;
}
const succeeded = { state: 'succeeded' as const, received: PRICE };
/** Creates a renewal that is paid by card. */
async function renewed() {
  const { id } = (await payments.invoices.renewalInvoice())!;
  await payments.openPayment(id);
  Object.assign(payments.card.answers, succeeded);
  await payments.run(() => askInvoice(payments.deps, id));
  payments.jobs.length = 0;
  return id;
}

test('S38 an event is stored once, with its job; a forged one is not', async () => {
  const notice: WebhookEvent = {
    eventId: 'evt_1',
    type: 'x',
    about: 'payment',
    ref: 'card_1',
    ours: 'att_1',
    moved: true,
  };
  let notices: WebhookEvent[] | 'forged' = [notice, { ...notice, eventId: 'evt_2' }];
  Object.assign(payments.card.gateway, { readWebhook: async () => notices });
  const nothing = { body: Buffer.from(''), headers: {}, network: '' };
  const deliver = () => payments.run(() => receiveWebhook(payments.deps, 'stripe', nothing));
  expect([await deliver(), await deliver()]).toEqual(['taken', 'taken']);
  expect(payments.jobs).toEqual([job('evt_1'), job('evt_2')]);
  // Each provider checks its own signature.
  Object.assign(payments.paypal.gateway, { readWebhook: async () => 'forged' });
  expect(await payments.run(() => receiveWebhook(payments.deps, 'paypal', nothing))).toBe('forged');
  notices = 'forged';
  expect(await deliver()).toBe('forged');
  const rows = await all().selectFrom('provider_event').selectAll().orderBy('event_id').execute();
  expect(rows).toHaveLength(2);
  expect(rows[0]).toEqual({
    provider: 'stripe',
    event_id: 'evt_1',
    type: 'x',
    about: 'payment',
    object_ref: 'card_1',
    own_id: 'att_1',
    moved: true,
    received_at: payments.invoices.now(),
    processed_at: null,
  });
});

test('S38 the object of an event is queried once; unknown money raises an alert after five minutes', async () => {
  const id = await payments.invoices.draftInvoice();
  await payments.openPayment(id);
  Object.assign(payments.card.answers, succeeded);
  await storeEvent('evt_1', 'payment', 'card_1');
  expect([await process('evt_1'), (await payments.invoices.invoiceRow(id)).status]).toEqual([true, 'paid']);
  const calls = payments.card.calls.length;
  await process('evt_1');
  expect([await process('evt_none'), payments.card.calls.length]).toEqual([true, calls]);

  await storeEvent('evt_2', 'payment', 'card_9', { moved: false });
  expect(await process('evt_2')).toBe(true);
  const { id: attempt } = await payments.attempt();
  // It is ours under another id, which makes it another payment.
  await storeEvent('evt_3', 'payment', 'card_9', { own_id: attempt });
  await storeEvent('evt_4', 'refund', 're_9');
  await storeEvent('evt_5', 'dispute', 'du_9');
  await storeEvent('evt_6', 'payment', 'card_1', { provider: 'paypal' });
  later(5 * MINUTE_MS - 1);
  for (const event of ['evt_3', 'evt_4', 'evt_5']) expect(await process(event)).toBe(false);
  expect(await payments.alerts()).toEqual([]);
  later(1);
  for (const event of ['evt_3', 'evt_4', 'evt_5']) expect(await process(event)).toBe(true);
  expect(await payments.alerts()).toEqual(['dispute.unknown', 'payment.unknown', 'refund.unknown']);
  // Staff have looked them up, so later events about them raise no alert.
  const names = ['card_9', 're_9', 'du_9'];
  const foreign = { ...payments.deps, providers: [] };
  for (const ref of names) {
    await payments.run(() =>
      markUnrelated(foreign, { provider: 'stripe', ref, reason: 'Of the other shop' }),
    );
  }
  expect(await payments.alerts()).toEqual([]);
  for (const [n, about] of (['payment', 'refund', 'dispute'] as const).entries()) {
    await storeEvent(`evt_1${n}`, about, names[n]!);
    later(5 * MINUTE_MS);
    expect(await process(`evt_1${n}`)).toBe(true);
  }
  expect(await payments.alerts()).toEqual([]);
  const ours = payments.run(() =>
    markUnrelated(foreign, { provider: 'stripe', ref: 'card_1', reason: 'Not ours' }),
  );
  await expect(ours).rejects.toThrow(`card_1 is ${attempt} of this shop`);
  // Events of one provider are about its own payments.
  await payments.run(() => processEvent(payments.deps, 'paypal', 'evt_6'));
  expect(await payments.alerts()).toEqual(['payment.unknown']);
});

test('S38 an object without a known reference is found by our own id', async () => {
  const id = await payments.invoices.draftInvoice();
  const { start } = payments.card.gateway;
  payments.card.gateway.start = async () => {
    throw new Error('no answer');
  };
  await expect(payments.openPayment(id)).rejects.toThrow();
  payments.card.gateway.start = start;
  const { id: own_id } = await payments.attempt();
  Object.assign(payments.card.answers, { ...succeeded, received: PRICE + 5_00 });
  await storeEvent('evt_1', 'payment', 'card_1', { own_id });
  expect(await process('evt_1')).toBe(true);
  expect([payments.card.calls, (await payments.invoices.invoiceRow(id)).status]).toEqual([['ask 1'], 'paid']);
  const [refund] = await payments.refunds();
  await all().updateTable('refund').set({ tries: 1 }).execute();
  payments.card.refunds.answers = { ref: 're_1', state: 'succeeded' };
  await storeEvent('evt_2', 'refund', 're_1', { own_id: refund!.id });
  expect([await process('evt_2'), (await payments.refunds())[0]!.status]).toEqual([true, 'succeeded']);
  payments.card.refunds.answers = { ref: 're_1', state: 'failed' };
  await storeEvent('evt_3', 'refund', 're_1');
  expect([await process('evt_3'), (await payments.refunds())[0]!.status]).toEqual([true, 'failed']);
});

test('S38 the saving in an event is queried too', async () => {
  const asked: string[] = [];
  Object.assign(payments.card.gateway, { cards: { askSaving: async (ref: string) => void asked.push(ref) } });
  await storeEvent('evt_1', 'saving', 'seti_1');
  expect([await process('evt_1'), asked]).toEqual([true, ['seti_1']]);
});

test('each minute due objects are queried, and events without a job get another one', async () => {
  const id = await payments.invoices.draftInvoice();
  await payments.openPayment(id);
  const attempt = await payments.attempt();
  const due = async (name: string) => {
    const { run } = taskNamed(paymentTasks, name, payments.deps);
    await payments.run(() => run());
    return payments.jobs.splice(0);
  };
  later(MINUTE_MS - 1);
  expect(await due('askAttempts')).toEqual([]);
  later(1);
  expect(await due('askAttempts')).toEqual([{ name: 'askAttempt', data: { attemptId: attempt.id } }]);
  Object.assign(payments.card.answers, { ...succeeded, received: PRICE + 5_00 });
  await payments.run(() => askInvoice(payments.deps, id));
  payments.jobs.length = 0;
  const refundId = (await payments.refunds())[0]!.id;
  later(MINUTE_MS - 1);
  expect(await due('followRefunds')).toEqual([]);
  later(1);
  expect(await due('followRefunds')).toEqual([{ name: 'followRefund', data: { refundId } }]);
  await dispute({ state: 'open' });
  later(DAY_MS - 1);
  expect(await due('followDisputes')).toEqual([]);
  later(1);
  const query = { provider: 'stripe', ref: 'du_1' };
  expect(await due('followDisputes')).toEqual([{ name: 'followDispute', data: query }]);
  await storeEvent('evt_1', 'payment', 'card_1');
  await storeEvent('evt_2', 'payment', 'card_1', { processed_at: payments.invoices.now() });
  later(MINUTE_MS);
  expect(await due('workOffNotices')).toEqual([]);
  later(1);
  expect(await due('workOffNotices')).toEqual([job('evt_1')]);
});

/** Sets the provider's answer about a dispute. @returns whether it is about a payment of ours */
function dispute(says: Partial<ReportedDispute> = {}, ref = 'du_1') {
  const stands: ReportedDispute = {
    ref,
    paymentRef: 'card_1',
    state: 'open',
    currency: 'THB',
    amount: PRICE,
    withdrawn: PRICE,
    fee: FEE,
    reason: 'general',
    respondBy: null,
    ...says,
  };
  Object.assign(payments.card.gateway, { askDispute: async () => stands });
  return payments.run(() => followDispute(payments.deps, 'stripe', ref));
}
const row = () => all().selectFrom('dispute').selectAll().executeTakeFirstOrThrow();
/** Sums by account that disputes, credit notes and refunds have moved. */
async function moved() {
  const entries = await all()
    .selectFrom('ledger_entry')
    .select(({ fn }) => ['account', fn.sum<string>('amount').as('sum')])
    .where('txn', 'not like', 'paid:%')
    .groupBy('account')
    .execute();
  return Object.fromEntries(
    entries.flatMap(({ account, sum }) => (Number(sum) ? [[account, Number(sum)]] : [])),
  );
}

test('FS9 a dispute is booked as it moves, suspends what its payment bought, and raises an alert until it is answered', async () => {
  await renewed();
  const newDisputes = () => payments.disputes.splice(0);
  const sub = payments.invoices.owner.id;
  const none = { withdrawn: 0, fee: 0 };
  expect(await dispute({ paymentRef: 'card_none' })).toBe(false);
  Object.assign(payments.card.gateway, { askDispute: async () => 'unknown' });
  expect(await payments.run(() => followDispute(payments.deps, 'stripe', 'du_1'))).toBe(false);
  expect(await payments.run(() => followDispute(payments.deps, 'paypal', 'du_1'))).toBe(false);

  const respondBy = new Date(payments.invoices.now().getTime() + 7 * DAY_MS);
  expect(await dispute({ ...none, state: 'inquiry', respondBy })).toBe(true);
  expect([newDisputes(), await moved()]).toEqual([[[sub, false]], {}]);
  const facts = { status: 'inquiry', reason: 'general', currency: 'THB', amount: PRICE };
  const what = { ...facts, subscription: sub, answerBy: respondBy.toISOString() };
  const alert = async () => (await payments.invoices.read(db => listAlerts(db)))[0];
  expect(await alert()).toMatchObject({ kind: 'dispute', subject: 'du_1', what });
  await dispute();
  expect([newDisputes(), await payments.alerts()]).toEqual([[[sub, true]], ['dispute']]);
  expect(await moved()).toEqual({ disputed: PRICE, fees: FEE, provider: -PRICE - FEE });
  const { version } = await row();
  later(MINUTE_MS);
  await dispute();
  expect(await row()).toMatchObject({
    version,
    ask_at: new Date(payments.invoices.now().getTime() + DAY_MS),
  });
  // The subscription may exist only by now.
  expect(newDisputes()).toEqual([[sub, true]]);
  await dispute({ fee: 2 * FEE });
  expect(await moved()).toMatchObject({ fees: 2 * FEE });
  expect(await row()).toMatchObject({ version: version + 1 });
  newDisputes();
  await dispute({ state: 'won', withdrawn: 0, fee: 2 * FEE });
  expect([newDisputes(), await payments.alerts()]).toEqual([[[sub, false]], []]);
  expect(await moved()).toEqual({ fees: 2 * FEE, provider: -2 * FEE });
  expect((await row()).ask_at).toBeNull();
  await dispute({ state: 'won', withdrawn: 0, fee: 2 * FEE });
  expect(newDisputes()).toEqual([]);

  payments.jobs.length = 0;
  await dispute({ state: 'lost' });
  expect([newDisputes(), (await row()).ask_at, await payments.alerts()]).toEqual([
    ...[[[sub, true]], null, ['dispute.lost']],
  ]);
  expect((await alert())!.what).toEqual({ ...facts, status: 'lost', subscription: sub });
  expect(await moved()).toMatchObject({ provider: -PRICE - FEE, revenue: 185_98, vat: 13_02 });
  expect(await moved()).not.toHaveProperty('disputed');
  expect(await moved()).not.toHaveProperty('writeOff');
  const notes = () => all().selectFrom('credit_note').select(['reason', 'total', 'prorated']).execute();
  expect(await notes()).toEqual([{ reason: 'Payment disputed', total: PRICE, prorated: false }]);
  expect(payments.jobs.map(({ name }) => name)).toEqual(['generateDocuments']);
  await dispute({ state: 'lost' });
  expect([newDisputes(), await notes()]).toEqual([[], [expect.anything()]]);
  // Won after all: the credited money is still the customer's, and is sent.
  await dispute({ state: 'won', withdrawn: 0 });
  expect([newDisputes(), await payments.alerts()]).toEqual([[[sub, false]], ['dispute.regained']]);
  const { number } = await all().selectFrom('credit_note').select('number').executeTakeFirstOrThrow();
  expect((await alert())!.what).toMatchObject({ creditNotes: number });
});

test('FM9 our money is foreign under none of its ids: a payment, its charge, its dispute, its refund', async () => {
  Object.assign(payments.card.answers, { chargeRef: 'ch_1' });
  await renewed();
  await dispute();
  const [{ id: attempt }, { id: disputed }] = [await payments.attempt(), await row()];
  let paymentRef = 'card_9';
  const there = () => ({ paymentRef, currency: 'THB', amount: 1_00, state: 'succeeded' });
  const providers = [
    { provider: 'paypal', refund: async () => undefined },
    { provider: 'stripe', refund: async (ref: string) => (ref === 're_9' ? there() : undefined) },
  ] as unknown as GatewayBooks[];
  const say = (ref: string) =>
    payments.run(() =>
      markUnrelated({ ...payments.deps, providers }, { provider: 'stripe', ref, reason: 'Not ours' }),
    );
  for (const [ref, ours] of Object.entries({ card_1: attempt, ch_1: attempt, du_1: disputed }))
    await expect(say(ref)).rejects.toThrow(`${ref} is ${ours} of this shop`);
  for (paymentRef of ['card_1', 'ch_1'])
    await expect(say('re_9')).rejects.toThrow(`re_9 refunds ${attempt} of this shop`);
  paymentRef = 'card_9';
  await say('re_9');
});

test('P23 M17 refunds that wait for a dispute end when it is lost, up to the amount that it took', async () => {
  await renewed();
  const give = async (amount: number) => {
    const wanted = { reason: 'sorry', amount };
    const { code } = await payments.run(() => planRefund(payments.deps, '2026-000001', wanted));
    await payments.run(() => refundInvoice(payments.deps, '2026-000001', wanted, code));
    later(1000);
  };
  for (const amount of [50_00, 100_00, 10_00, 5_00]) await give(amount);
  const refunds = async () => (await payments.refunds()).map(({ status, failure }) => failure ?? status);
  const settle = async (n: number) => {
    const { id } = (await payments.refunds())[n]!;
    await payments.run(() => followRefund(payments.deps, id));
  };
  // One was sent before.
  await all().updateTable('refund').set({ tries: 1 }).where('amount', '=', 5_00).execute();
  later(DAY_MS);
  const stands = { withdrawn: 120_00, amount: 120_00 };
  await dispute(stands);
  for (const n of [0, 1, 2]) await settle(n);
  expect(payments.card.calls.filter(call => call.startsWith('refund'))).toEqual([]);
  expect(await payments.alerts()).toEqual(['dispute', ...Array(3).fill('refund.unfinished')]);
  expect(await refunds()).toEqual(Array(4).fill('created'));
  await dispute({ ...stands, state: 'lost' });
  expect(await refunds()).toEqual(['disputed', 'created', 'disputed', 'created']);
  expect(await payments.alerts()).toEqual(['dispute.lost', 'refund.unfinished']);
  const note = all().selectFrom('credit_note').select('total').where('dispute_id', 'is not', null);
  // The rest of the payment is used, and the remainder is written off.
  const left = PRICE - 165_00;
  expect(await note.execute()).toEqual([{ total: left }]);
  expect(await moved()).toMatchObject({ writeOff: 120_00 - 60_00 - left });
});

test('P40 M17 a lost dispute that takes more later is booked by the difference, and ends refunds up to its amount', async () => {
  await renewed();
  const wanted = { reason: 'sorry', amount: 50_00 };
  const { code } = await payments.run(() => planRefund(payments.deps, '2026-000001', wanted));
  await payments.run(() => refundInvoice(payments.deps, '2026-000001', wanted, code));
  await dispute({ state: 'lost', withdrawn: 50_00 });
  expect((await payments.refunds()).map(({ failure }) => failure)).toEqual(['disputed']);
  const notes = all().selectFrom('credit_note').select('total').where('dispute_id', 'is not', null);
  expect(await notes.execute()).toEqual([]);
  await dispute({ state: 'lost', withdrawn: 120_00 });
  expect(await notes.execute()).toEqual([{ total: 70_00 }]);
  const books = await moved();
  expect(books).toMatchObject({ provider: -120_00 - FEE });
  for (const account of ['refundsDue', 'disputed', 'writeOff']) expect(books).not.toHaveProperty(account);
});

test('M17 what a guest’s dispute took before the delivery is credited at the delivery, less the refund that it ended, once', async () => {
  const id = await payments.invoices.draftInvoice(null);
  await payments.openPayment(id);
  const paid = PRICE + 20_00;
  Object.assign(payments.card.answers, { ...succeeded, received: paid });
  await payments.run(() => askInvoice(payments.deps, id));
  await dispute({ state: 'lost', amount: paid, withdrawn: paid });
  expect((await payments.refunds()).map(({ amount, failure }) => [amount, failure])).toEqual([
    [20_00, 'disputed'],
  ]);
  const before = await moved();
  expect(before).toEqual({ provider: -PRICE - FEE, fees: FEE, writeOff: PRICE });
  const { customerId: customer_id } = payments.invoices.owner;
  await all().updateTable('invoice').set({ customer_id }).where('id', '=', id).execute();
  const delivered = () =>
    payments.invoices.inTransaction(tx =>
      creditEarlierLosses(payments.deps, tx, payments.invoices.now(), id),
    );
  await delivered();
  const { version } = await row();
  await delivered();
  expect((await row()).version).toBe(version);
  const notes = await all().selectFrom('credit_note').select(['total', 'dispute_id']).execute();
  expect(notes).toEqual([{ total: PRICE, dispute_id: (await row()).id }]);
  const { writeOff: _, ...rest } = before;
  expect(await moved()).toEqual({ ...rest, revenue: 185_98, vat: 13_02 });
});

test('S44 the evidence for a dispute states product, buyer, and the times of payment and delivery', async () => {
  const id = await renewed();
  const now = payments.invoices.now();
  const [from, until] = [new Date(now.getTime() + DAY_MS), new Date(now.getTime() + 31 * DAY_MS)];
  const { id: subscription_id, customerId: customer_id } = payments.invoices.owner;
  const period = { subscription_id, customer_id, starts_at: from, ends_at: until, invoice_id: id };
  await all()
    .insertInto('subscription_period')
    .values({ ...period, worth: PRICE })
    .execute();
  await all().updateTable('subscription').set({ started_at: now }).execute();
  later(DAY_MS);
  // An event about its fee moves no other money.
  Object.assign(payments.card.answers, { fee: 7_00 });
  await storeEvent('evt_1', 'payment', 'card_1');
  await process('evt_1');
  expect((await payments.attempt()).updated_at).not.toEqual(now);
  const respondBy = payments.invoices.now();
  await dispute({ respondBy });
  const evidence = (ref: string) => payments.run(() => disputeEvidence(payments.deps.db, ref));
  expect(await evidence('du_none')).toBeUndefined();
  const stands = { status: 'open', reason: 'general', currency: 'THB', amount: PRICE };
  expect(await evidence('du_1')).toEqual({
    dispute: { ref: 'du_1', ...stands, answerBy: respondBy },
    payment: { ref: 'card_1', method: 'card', paidAt: now },
    invoice: {
      isRenewal: true,
      number: '2026-000001',
      currency: 'THB',
      total: PRICE,
      lines: [{ text, total: PRICE }],
    },
    order: { orderedAt: now, email: 'c1@example.com', language: 'en', termsVersion: '1' },
    delivery: { startedAt: now, periods: [{ from, until }] },
  });

  // A purchase that is not delivered, and whose invoice another payment has paid.
  const draft = await payments.invoices.draftInvoice();
  Object.assign(payments.card.answers, { ref: 'card_a', state: 'open', received: 0, fee: undefined });
  await payments.openPayment(draft);
  later(MINUTE_MS);
  const otherAttempt = await all()
    .selectFrom('attempt')
    .selectAll()
    .where('provider_ref', '=', 'card_a')
    .execute();
  await dispute({ paymentRef: 'card_a', state: 'inquiry', withdrawn: 0, fee: 0 }, 'du_2');
  expect(await evidence('du_2')).toMatchObject({
    payment: { paidAt: otherAttempt[0]!.updated_at },
    invoice: { isRenewal: false, number: null },
    order: { email: 'c1@example.com' },
    delivery: undefined,
  });
  const open = () => payments.run(() => openDisputes(payments.deps.db));
  expect(await open()).toEqual([
    { ...stands, ref: 'du_1', answerBy: respondBy, subscriptions: [subscription_id] },
    { ...stands, ref: 'du_2', status: 'inquiry', answerBy: null, subscriptions: [] },
  ]);
  await dispute({ state: 'won', withdrawn: 0 });
  expect((await open()).map(({ ref }) => ref)).toEqual(['du_2']);
});
