import { PRICE } from '@fixpoint/testkit/given/invoices.ts';
import { type GivenPayments, givenPayments } from '@fixpoint/testkit/given/payments.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listAlerts } from '../../src/modules/alert/index.ts';
import { checkDatabase } from '../../src/modules/books/index.ts';
import { followPayment } from '../../src/modules/payment/attempt/follow-payment.ts';
import {
  bookLostCoins,
  bookOutOfBandRefund,
  failedRefund,
  planLostCoins,
  planOutOfBandRefund,
  planRefund,
  refundInvoice,
  retryRefund,
} from '../../src/modules/payment/index.ts';
import { followRefund } from '../../src/modules/payment/refund/follow-refund.ts';
import type { PaymentMethod, RefundRef, RefusedRefund } from '../../src/ports/payment-gateway.ts';

/** Refunds that a gateway refuses, and money that is gone, on inserted rows. */
const DAY_MS = 86_400_000;
const NUMBER = '2026-000001';
let payments: GivenPayments;
let invoice: string;
beforeEach(async () => {
  payments = await givenPayments();
  invoice = await payments.invoices.draftInvoice();
});
afterEach(() => payments?.invoices.hosts.stop());

const later = (ms: number) => payments.invoices.hosts.clock.advance(ms);
/** Reports money of the payment of a method. */
async function report(method: PaymentMethod, received: number) {
  const attempt = await payments.attempt();
  const { currency, amount } = attempt;
  const reported = { ref: `${method}_1`, state: 'succeeded', currency, amount, received } as const;
  await payments.run(() => followPayment(payments.deps, attempt, reported));
}
async function paid(method: PaymentMethod = 'card') {
  await payments.openPayment(invoice, method);
  await report(method, PRICE);
  payments.jobs.length = 0;
}
const asked = { reason: 'sorry' };
const plan = (how = {}) => payments.run(() => planRefund(payments.deps, NUMBER, { ...asked, ...how }));
const refundNow = async (how = {}) => {
  const { code } = await plan(how);
  return payments.run(() => refundInvoice(payments.deps, NUMBER, { ...asked, ...how }, code));
};
const refund = async () => (await payments.refunds()).at(-1)!;
/** Sends the newest refund to a card gateway that refuses it. @returns the keys of the calls */
async function refused(how: RefusedRefund['refused'], failure = 'code'): Promise<string[]> {
  const keys: string[] = [];
  payments.card.gateway.refund = async ({ key }: RefundRef) => {
    keys.push(key);
    return { refused: how, failure };
  };
  const { id } = await refund();
  await payments.run(() => followRefund(payments.deps, id));
  return keys;
}
async function dispute(status: 'open' | 'won' | 'lost', blocks_refunds = true) {
  const at = payments.invoices.now();
  const { id: attempt_id } = await payments.attempt();
  const money = { currency: 'THB', amount: PRICE, withdrawn: 0, fee: 0 };
  const facts = { id: 'dsp_1', attempt_id, provider_ref: 'du_1', reason: 'general', blocks_refunds };
  await payments.invoices.hosts.all
    .insertInto('dispute')
    .values({ ...facts, ...money, status, created_at: at, updated_at: at })
    .onConflict(conflict => conflict.column('id').doUpdateSet({ status, blocks_refunds }))
    .execute();
}
const alerts = async () =>
  (await payments.invoices.read(db => listAlerts(db))).map(({ kind, what }) => ({ kind, ...what }));
const emails = () =>
  payments.jobs.filter(({ name }) => name === 'sendEmail').map(({ data }) => data.template);
const differences = async () =>
  (await payments.run(() => checkDatabase(payments.deps.db, payments.invoices.now())))
    .map(({ name }) => name)
    // Rows of `givenInvoices` have no document and no service.
    .filter(name => /^(X1[5-9]|X2[056]|M17|I4)/.test(name));
const end = (writtenOff: boolean) => async () => {
  const { id } = await refund();
  const how = { reason: 'To his bank', writtenOff };
  const { code } = await payments.run(() => planOutOfBandRefund(payments.deps.db, failedRefund, id, how));
  await payments.run(() => bookOutOfBandRefund(payments.deps, failedRefund, id, how, code));
};

test('BG3 a refund that is refused for good has failed: no other try, one alert, and its customer is told', async () => {
  await paid();
  await refundNow();
  payments.jobs.length = 0;
  await refused('never', 'REFUND_TIME_LIMIT_EXCEEDED');
  expect(await refund()).toMatchObject({
    status: 'failed',
    ask_at: null,
    failure: 'REFUND_TIME_LIMIT_EXCEEDED',
  });
  expect(await alerts()).toEqual([
    {
      kind: 'refund.refused',
      currency: 'THB',
      amount: PRICE,
      creditNote: 'CN2026-000001',
      reason: 'REFUND_TIME_LIMIT_EXCEEDED',
    },
  ]);
  expect(emails()).toEqual(['refundFailed']);
  expect(await refused('never')).toEqual([]);
});

test.each([
  ['paid out of band, which its payer is told', false, { refundsDue: PRICE, outOfBand: -PRICE }],
  ['written off', true, { refundsDue: PRICE, writeOff: -PRICE }],
])('BG3 a refused refund is %s, once', async (_, writtenOff, booked) => {
  await paid();
  await refundNow();
  await refused('never');
  payments.jobs.length = 0;
  await end(writtenOff)();
  expect(await payments.ledgerSums(writtenOff ? 'written-off:' : 'by-hand:')).toEqual(booked);
  expect([await alerts(), await differences()]).toEqual([[], []]);
  expect(emails()).toEqual(writtenOff ? [] : ['refundedOutOfBand']);
  await expect(end(!writtenOff)()).rejects.toThrow(
    writtenOff ? 'was written off' : 'was refunded out of band',
  );
  const { id } = await refund();
  await expect(payments.run(() => retryRefund(payments.deps, id))).rejects.toThrow('was ');
});

test('MO13 a refund that is refused for now waits with another key; after the dispute it is refused for good', async () => {
  await paid();
  await refundNow();
  payments.jobs.length = 0;
  const [first] = await refused('later');
  const [second] = await refused('disputed');
  expect(second).not.toBe(first);
  expect(await refund()).toMatchObject({ status: 'created', tries: 0, failure: 'code' });
  expect([await alerts(), emails()]).toEqual([[], []]);
  await dispute('open');
  expect(await refused('disputed')).toEqual([]);
  // Won, and the gateway still refuses: waiting would never end.
  await dispute('won');
  await refused('disputed');
  expect([(await refund()).status, emails()]).toEqual(['failed', ['refundFailed']]);
  expect(await alerts()).toMatchObject([{ kind: 'refund.refused' }]);
});

test('MO13 a gateway that does not say what a decided dispute blocks is asked for a day', async () => {
  await paid();
  await refundNow();
  await dispute('won', false);
  await refused('disputed');
  expect((await refund()).status).toBe('created');
  later(DAY_MS + 1);
  await refused('disputed');
  expect((await refund()).status).toBe('failed');
  expect(await alerts()).toMatchObject([{ kind: 'refund.refused' }]);
});

test('BG3 a refund of money that has left already tells its customer nothing wrong', async () => {
  await paid();
  await refundNow();
  payments.jobs.length = 0;
  await refused('gone', 'charge_already_refunded');
  expect([(await refund()).status, emails()]).toEqual(['failed', []]);
  expect(await alerts()).toMatchObject([{ kind: 'refund.gone', reason: 'charge_already_refunded' }]);
});

test('BG3 what a gateway would refuse is not offered: staff pays it by hand, with a credit note', async () => {
  await paid('paypal');
  later(180 * DAY_MS);
  await plan();
  later(1);
  await expect(plan()).rejects.toThrow('paypal refunds no payment of that age: pay it from your own bank');
  const { creditNote, plan: done } = await refundNow({ byHand: true, amount: 50_00 });
  expect([creditNote, done.amount]).toEqual(['CN2027-000001', 50_00]);
  expect(await refund()).toMatchObject({ status: 'failed', amount: 50_00, failure: 'outOfBand' });
  expect(emails()).toEqual(['refundedOutOfBand']);
  expect([await alerts(), await differences()]).toEqual([[], []]);
  expect((await plan({ byHand: true })).left).toBe(PRICE - 50_00);
  await refundNow({ asCredit: true, amount: 1_00 });
});

test('MO13 a disputed payment is not offered, and after its dispute only as its gateway allows', async () => {
  await paid();
  await dispute('open');
  for (const how of [{}, { byHand: true }, { asCredit: true }])
    await expect(plan(how)).rejects.toThrow('is disputed: wait');
  await dispute('won');
  await expect(plan()).rejects.toThrow('stripe refunds no payment after its dispute');
  expect((await plan({ byHand: true })).left).toBe(PRICE);
  await dispute('won', false);
  expect((await plan()).left).toBe(PRICE);
  // What was confirmed as paid by hand is not sent as well.
  const { code } = await plan({ byHand: true });
  const sendsIt = payments.run(() => refundInvoice(payments.deps, NUMBER, asked, code));
  await expect(sendsIt).rejects.toThrow('is not the code');
});

test('MO4 coins that a longer chain took back are not refunded, and their loss is booked once, with a credit note', async () => {
  await paid('bitcoin');
  const { id } = await payments.attempt();
  const lost = () => payments.run(() => planLostCoins(payments.deps.db, id));
  expect(await lost()).toBeUndefined();
  await report('bitcoin', 0);
  expect(await alerts()).toEqual([{ kind: 'payment.gone', currency: 'THB', gone: PRICE }]);
  for (const how of [{}, { byHand: true }, { asCredit: true }])
    await expect(plan(how)).rejects.toThrow(`book that first, with refund ${id} --write-off`);
  // They come back with the next block.
  await report('bitcoin', PRICE);
  expect([await alerts(), await lost()]).toEqual([[], undefined]);

  await report('bitcoin', 0);
  const planned = (await lost())!;
  expect(planned).toMatchObject({ invoice: NUMBER, lost: PRICE });
  await payments.run(() => bookLostCoins(payments.deps, planned));
  expect(await alerts()).toMatchObject([{ kind: 'dispute.lost', reason: 'reorganised' }]);
  expect(await payments.ledgerSums('dispute:')).toEqual({ provider: -PRICE, refundsDue: PRICE });
  expect([await differences(), await lost()]).toEqual([[], undefined]);
  await expect(plan()).rejects.toThrow(`all of ${NUMBER} was refunded`);
  await report('bitcoin', 0);
  expect(await alerts()).toHaveLength(1);

  // Back after all: what the credit note says is due to the payer again.
  await report('bitcoin', PRICE);
  expect((await alerts()).map(({ kind }) => kind)).toEqual(['dispute.regained']);
  expect(await differences()).toEqual([]);
  await payments.run(() => retryRefund(payments.deps, 'CN2026-000001'));
});

test('MO4 of coins that are gone in part, the loss is what is missing', async () => {
  await payments.openPayment(invoice, 'bitcoin');
  await report('bitcoin', PRICE + 30_00);
  await report('bitcoin', PRICE);
  const { id } = await payments.attempt();
  const planned = (await payments.run(() => planLostCoins(payments.deps.db, id)))!;
  expect(planned.lost).toBe(30_00);
  await payments.run(() => bookLostCoins(payments.deps, planned));
  expect(await payments.ledgerSums('dispute:')).toEqual({ provider: -30_00, refundsDue: 30_00 });
  expect((await plan()).left).toBe(PRICE - 30_00);
  expect(await differences()).toEqual([]);
});
