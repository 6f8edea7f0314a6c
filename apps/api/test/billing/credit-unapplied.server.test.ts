import { PRICE } from '@fixpoint/testkit/given/invoices.ts';
import { type GivenPayments, givenPayments } from '@fixpoint/testkit/given/payments.ts';
import { type RawBuilder, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { applyCredit } from '../../src/modules/billing/index.ts';
import { checkDatabase } from '../../src/modules/books/index.ts';
import { creditUnapplied, unclaimedPayment } from '../../src/modules/checkout/credit-unapplied.ts';
import type { CheckoutDeps } from '../../src/modules/checkout/deps.ts';
import { checkoutTasks } from '../../src/modules/checkout/index.ts';
import { followPayment } from '../../src/modules/payment/attempt/follow-payment.ts';
import { bookOutOfBandRefund, planOutOfBandRefund } from '../../src/modules/payment/index.ts';
import { creditCoins } from '../helpers/credit-coins.ts';
import { taskNamed } from '../helpers/task-named.ts';

let payments: GivenPayments;
beforeEach(async () => {
  payments = await givenPayments();
});
afterEach(() => payments?.invoices.hosts.stop());

/** The price of a bitcoin has not fallen since. */
const samePrice = { fallenPrice: async () => undefined };

/** The gateway reports what a payment, by default the first, has received in all. */
async function receive(received: number, transfers?: { ref: string; amount: number }[], number = 1) {
  const attempt = await payments.attempt(number);
  const { amount, method } = attempt;
  const says = { ref: `${method}_${number}`, state: 'succeeded', currency: 'THB', amount, received } as const;
  await payments.run(() =>
    followPayment(payments.deps, attempt, { ...says, ...(transfers && { transfers }) }),
  );
}

test('X15 FC6 coins become credit, however many payments of the month were settled before them', async () => {
  const { all, clock } = payments.invoices.hosts;
  const late = await payments.invoices.draftInvoice(null);
  await all.updateTable('invoice').set({ order_id: null, status: 'void' }).execute();
  await sql`insert into invoice select other.* from invoice, generate_series(1, 600) n,
      jsonb_populate_record(invoice, jsonb_build_object('id', 'inv_' || n, 'reference', 'R-' || n)) other`.execute(
    all,
  );
  const cameForNothing = (which: RawBuilder<boolean>) =>
    sql`insert into attempt (id, invoice_id, attempt_no, method, status, currency, amount, received, unapplied,
        created_at, updated_at)
      select 'att_' || id, id, 1, 'bitcoin', 'succeeded', 'THB', 100, 100, 100, ${clock.now()}, ${clock.now()}
      from invoice where ${which}`.execute(all);
  await cameForNothing(sql`id <> ${late}`);
  await sql`insert into refund (id, attempt_id, currency, amount, reason, status, created_at, updated_at)
    select 'ref_' || id, id, 'THB', 100, 'unapplied', 'succeeded', updated_at, updated_at from attempt`.execute(
    all,
  );
  clock.advance(60_000);
  await cameForNothing(sql`id = ${late}`);
  await payments.run(() => taskNamed(checkoutTasks, 'creditUnapplied', payments.deps).run());
  expect(payments.jobs).toEqual([{ name: 'creditUnapplied', data: { invoiceId: late } }]);
});

test('X15 FC6 coins without an owner are refunded out of band: booked once, and not checked again', async () => {
  const { all, clock } = payments.invoices.hosts;
  const deps = { ...payments.deps, payment: samePrice } as unknown as CheckoutDeps;
  const invoice = await payments.invoices.draftInvoice(null);
  await payments.openPayment(invoice, 'bitcoin');
  const nobodys = { order_id: null, status: 'void' as const };
  await all.updateTable('invoice').set(nobodys).execute();
  const transfers: { ref: string; amount: number }[] = [];
  /** Sends coins that can be nobody's credit. */
  const receiveUnclaimed = async (amount: number) => {
    transfers.push({ ref: `tx_${transfers.length}`, amount });
    await receive(
      transfers.reduce((sum, each) => sum + each.amount, 0),
      transfers,
    );
    await payments.run(() => creditUnapplied(deps, invoice));
    expect(await payments.alerts()).toEqual(['payment.unapplied']);
  };
  const plan = () =>
    payments.run(() =>
      planOutOfBandRefund(payments.deps.db, unclaimedPayment, invoice, { reason: 'To his bank' }),
    );
  const pay = (code: string) =>
    payments.run(() =>
      bookOutOfBandRefund(payments.deps, unclaimedPayment, invoice, { reason: 'To his bank' }, code),
    );
  const looked = async () => {
    payments.jobs.length = 0;
    await payments.run(() => taskNamed(checkoutTasks, 'creditUnapplied', payments.deps).run());
    return payments.jobs.length;
  };
  await receiveUnclaimed(50_00);
  const { code, amount } = await plan();
  expect(amount).toBe(50_00);
  await receiveUnclaimed(10_00);
  // More coins came after the amount was shown.
  await expect(pay(code)).rejects.toThrow('is not the code');
  const all60 = await plan();
  await pay(all60.code);
  expect(await payments.ledgerSums('by-hand:')).toEqual({ refundsDue: 60_00, outOfBand: -60_00 });
  expect([await payments.alerts(), await looked()]).toEqual([[], 0]);
  await expect(pay(all60.code)).rejects.toThrow(`${invoice} has no unapplied payment`);
  await receiveUnclaimed(5_00);
  expect(await plan()).toMatchObject({ amount: 5_00 });
  await pay((await plan()).code);
  clock.advance(60 * 60_000);
  const found = await payments.run(() => checkDatabase(payments.deps.db, clock.now()));
  expect(found.map(({ name }) => name).filter(name => /^X(15|16|20|26)/.test(name))).toEqual([]);
});

test('X15 S83 coins for an order whose address was erased create no account, and are refunded out of band', async () => {
  const { all } = payments.invoices.hosts;
  const deps = { ...payments.deps, payment: samePrice } as unknown as CheckoutDeps;
  const invoice = await payments.invoices.draftInvoice(null);
  await payments.openPayment(invoice, 'bitcoin');
  await all.updateTable('invoice').set({ status: 'void' }).execute();
  await all.updateTable('shop_order').set({ email: 'cus_gone@deleted.invalid' }).execute();
  await receive(50_00, [{ ref: 'tx_0', amount: 50_00 }]);
  await payments.run(() => creditUnapplied(deps, invoice));
  expect(await payments.alerts()).toEqual(['payment.unapplied']);
});

test('X15 a part payment of a void invoice is refunded with the rest', async () => {
  const { all, clock } = payments.invoices.hosts;
  const invoice = await payments.invoices.draftInvoice(null);
  await payments.openPayment(invoice, 'bitcoin');
  await receive(50_00);
  expect((await payments.invoices.invoiceRow(invoice)).prepaid).toBe(50_00);
  await all.updateTable('invoice').set({ order_id: null, status: 'void' }).execute();
  const plan = await payments.run(() =>
    planOutOfBandRefund(payments.deps.db, unclaimedPayment, invoice, { reason: 'To his bank' }),
  );
  await payments.run(() =>
    bookOutOfBandRefund(payments.deps, unclaimedPayment, invoice, { reason: 'To his bank' }, plan.code),
  );
  expect((await payments.invoices.invoiceRow(invoice)).prepaid).toBe(0);
  clock.advance(60 * 60_000);
  const found = await payments.run(() => checkDatabase(payments.deps.db, clock.now()));
  expect(found.map(({ name }) => name).filter(name => /^X(15|26)/.test(name))).toEqual([]);
});

test('X15 a part payment of a paid invoice still counts when later money is refunded', async () => {
  const invoice = await payments.invoices.draftInvoice(null);
  await payments.openPayment(invoice, 'bitcoin');
  await receive(50_00);
  await payments.invoices.pay(invoice);
  await receive(55_00);
  const plan = () =>
    payments.run(() =>
      planOutOfBandRefund(payments.deps.db, unclaimedPayment, invoice, { reason: 'To his bank' }),
    );
  const { code, amount } = await plan();
  expect(amount).toBe(5_00);
  await payments.run(() =>
    bookOutOfBandRefund(payments.deps, unclaimedPayment, invoice, { reason: 'To his bank' }, code),
  );
  expect((await payments.invoices.invoiceRow(invoice)).prepaid).toBe(50_00);
  await expect(plan()).rejects.toThrow(`${invoice} has no unapplied payment`);
});

test('credit pays what a part payment left, and the books take that payment from its gateway', async () => {
  const { invoices } = payments;
  const invoice = await invoices.draftInvoice();
  await payments.openPayment(invoice, 'bitcoin');
  const { amount } = await payments.attempt();
  await receive(50_00);
  await invoices.grantGoodwill(amount);
  expect(await invoices.inTransaction(tx => applyCredit(tx, invoices.now(), invoice))).toBe(true);
  const { status, prepaid, credit_used } = await invoices.invoiceRow(invoice);
  expect({ status, prepaid, credit_used }).toEqual({
    status: 'paid',
    prepaid: 50_00,
    credit_used: amount - 50_00,
  });
  const booked = await invoices.hosts.all
    .selectFrom('ledger_entry')
    .select(['provider', 'amount'])
    .where('txn', '=', `paid:${invoice}`)
    .where('account', '=', 'refundsDue')
    .execute();
  expect(booked).toEqual([{ provider: 'btcpay', amount: 50_00 }]);
});

test('X15 late coins count at the price that has fallen most of the payments they came by', async () => {
  const { invoices, bitcoin } = payments;
  const invoice = await invoices.draftInvoice();
  /** Parts of the price; what the card sends is too little, and goes back. */
  const parts = { 1: 1_00, 2: 1_00, 3: 1_00, 4: PRICE - 2_00 };
  for (const [number, part] of Object.entries(parts)) {
    await payments.openPayment(invoice, number === '3' ? 'card' : 'bitcoin');
    await receive(part, undefined, Number(number));
  }
  expect(await invoices.invoiceRow(invoice)).toMatchObject({ status: 'paid', prepaid: 2_00 });
  // The price by payment. The coins of the last one have paid the invoice, so it does not matter.
  let now: Record<string, number> = {};
  bitcoin.gateway.prices = async ({ providerRef }) => {
    const then = 100;
    return { then, now: { ...now, bitcoin_4: 10 }[providerRef!]! };
  };
  const creditAt = async (today: typeof now, received: number) => {
    now = today;
    await receive(received);
    await creditCoins(payments, invoice);
    return invoices.credit();
  };
  expect(await creditAt({ bitcoin_1: 80, bitcoin_2: 50 }, 101_00)).toBe(50_00);
  expect(await creditAt({ bitcoin_1: 40, bitcoin_2: 80 }, 201_00)).toBe(90_00);
  // One that has risen gives nobody more.
  expect(await creditAt({ bitcoin_1: 120, bitcoin_2: 100 }, 301_00)).toBe(190_00);
});
