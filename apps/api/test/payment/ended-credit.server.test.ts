import { PRICE } from '@fixpoint/testkit/given/invoices.ts';
import { type GivenPayments, givenPayments } from '@fixpoint/testkit/given/payments.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listAlerts } from '../../src/modules/alert/index.ts';
import { endedCredit, giveCredit } from '../../src/modules/billing/index.ts';
import { checkDatabase } from '../../src/modules/books/index.ts';
import { followPayment } from '../../src/modules/payment/attempt/follow-payment.ts';
import { endCredit } from '../../src/modules/payment/refund/end-credit.ts';
import { followRefund } from '../../src/modules/payment/refund/follow-refund.ts';
import { planRefund, refundInvoice } from '../../src/modules/payment/refund/refund-invoice.ts';
import { retryRefund } from '../../src/modules/payment/refund/retry-refund.ts';
import { creditCoins } from '../helpers/credit-coins.ts';

/** Where the credit of an account that ends goes. */
let payments: GivenPayments;
beforeEach(async () => {
  payments = await givenPayments();
});
afterEach(() => payments?.invoices.hosts.stop());

const customerId = () => payments.invoices.owner.customerId;
const end = () => payments.invoices.inTransaction(tx => endCredit(payments.deps, tx, customerId()));
const ended = () => payments.invoices.read(db => endedCredit(db, customerId()));
/** Without the order of the rows, which one test voids with its invoice. */
const differences = async () =>
  (await payments.invoices.read(db => checkDatabase(db, payments.invoices.now()))).filter(
    ({ name }) => name !== 'I1 order',
  );
const refunds = async () => (await payments.refunds()).map(({ amount, reason }) => ({ amount, reason }));

async function pays(invoice: string, received = PRICE, method: 'card' | 'bitcoin' = 'card') {
  await payments.openPayment(invoice, method);
  const attempt = await payments.attempt();
  const says = { ref: `${method}_1`, currency: 'THB', amount: attempt.amount, received, fee: 0 } as const;
  await payments.run(() =>
    followPayment(payments.deps, attempt, {
      ...says,
      state: 'succeeded',
      transfers: [{ ref: 'tx_1', amount: received }],
    }),
  );
}
/** Has the gateway refuse the newest refund for good. @returns the emails about that */
async function refusedEmails(method: 'card' | 'bitcoin' = 'card') {
  payments[method].gateway.refund = async () => ({ refused: 'never', failure: 'charge_not_refundable' });
  payments.jobs.length = 0;
  const refund = (await payments.refunds()).at(-1);
  await payments.run(() => followRefund(payments.deps, refund!.id));
  return payments.jobs.map(({ data }) => [data.template, data.subjectId === refund!.id]);
}
const creditNote = (invoice: string, amount: number) =>
  payments.invoices.inTransaction(tx =>
    giveCredit(tx, payments.invoices.now(), {
      customerId: customerId(),
      invoices: [invoice],
      amount,
      reason: 'x',
    }),
  );
async function paidByCard() {
  const invoice = await payments.invoices.draftInvoice();
  await pays(invoice);
  return invoice;
}

test('FM23 the notes over one payment go back by one refund of it, in the books, too', async () => {
  const invoice = await paidByCard();
  await creditNote(invoice, 60_00);
  payments.invoices.hosts.clock.advance(1_000);
  await creditNote(invoice, 30_00);
  await end();
  expect(await refunds()).toEqual([{ amount: 90_00, reason: 'unapplied' }]);
  expect(await ended()).toEqual([{ currency: 'THB', refunded: 90_00, goodwill: 0, left: 0 }]);
  expect(await differences()).toEqual([]);
  expect(await payments.alerts()).toEqual([]);
  // A second run finds nothing.
  await end();
  expect(await refunds()).toHaveLength(1);
  // The email about the end of the account has promised the money.
  expect(await refusedEmails()).toEqual([['refundFailed', true]]);
});

test('FM23 goodwill counts as used first; of used credit only the rest goes back, and can be sent again', async () => {
  const invoice = await paidByCard();
  await creditNote(invoice, PRICE);
  await payments.invoices.grantGoodwill(50_00);
  const { id: renewal } = (await payments.invoices.renewalInvoice())!;
  expect(await payments.invoices.invoiceRow(renewal)).toMatchObject({ credit_used: PRICE });
  expect(await payments.invoices.credit()).toBe(50_00);
  await end();
  expect(await refunds()).toEqual([{ amount: 50_00, reason: 'unapplied' }]);
  expect(await ended()).toMatchObject([{ refunded: 50_00, goodwill: 0, left: 0 }]);
  const { id } = (await payments.refunds())[0]!;
  const follow = (refundId: string) => payments.run(() => followRefund(payments.deps, refundId));
  await follow(id);
  payments.card.refunds.answers = { ref: 're_1', state: 'failed', failure: 'closed' } as never;
  await follow(id);
  expect(await payments.alerts()).toEqual(['refund.failed']);
  await payments.run(() => retryRefund(payments.deps, id));
  expect(await refunds()).toEqual([
    { amount: 50_00, reason: 'unapplied' },
    { amount: 50_00, reason: 'unapplied' },
  ]);
});

test('FM23 coins that became credit go back by their payment', async () => {
  const invoice = await payments.invoices.draftInvoice();
  await pays(invoice, 50_00, 'bitcoin');
  await payments.invoices.hosts.all.updateTable('invoice').set({ order_id: null, status: 'void' }).execute();
  await creditCoins(payments, invoice);
  expect(await payments.invoices.credit()).toBe(50_00);
  await end();
  expect(await refunds()).toEqual([{ amount: 50_00, reason: 'unapplied' }]);
  expect(await payments.invoices.invoiceRow(invoice)).toMatchObject({ credited: 0 });
  expect(await payments.invoices.credit()).toBe(0);
  expect(await differences()).toEqual([]);
  expect(await refusedEmails('bitcoin')).toEqual([['refundFailed', true]]);
});

test('FM23 the email about an ended account announces no other money of its payments', async () => {
  const invoice = await paidByCard();
  await creditNote(invoice, 60_00);
  const asked = ['2026-000001', { reason: 'x', amount: 20_00 }] as const;
  const { creditNote: note } = await payments.run(async () =>
    refundInvoice(payments.deps, ...asked, (await planRefund(payments.deps, ...asked)).code),
  );
  expect(await refusedEmails()).toEqual([['refundFailed', true]]);
  await end();
  payments.invoices.hosts.clock.advance(1_000);
  // Its failure is known, and no email has promised it again.
  await payments.run(() => retryRefund(payments.deps, note));
  expect(await refusedEmails()).toEqual([]);
  expect(await refunds()).toContainEqual({ amount: 60_00, reason: 'unapplied' });
});

test('FM23 a payment takes back its coins or its notes: what its only refund leaves stays due, with an alert', async () => {
  const invoice = await payments.invoices.draftInvoice();
  await pays(invoice, PRICE + 30_00, 'bitcoin');
  await creditCoins(payments, invoice);
  payments.invoices.hosts.clock.advance(1_000);
  await creditNote(invoice, 20_00);
  await end();
  expect(await refunds()).toEqual([{ amount: 20_00, reason: 'unapplied' }]);
  expect(await ended()).toEqual([{ currency: 'THB', refunded: 20_00, goodwill: 0, left: 30_00 }]);
  expect(await payments.alerts()).toEqual(['credit.unclaimed']);
  expect(await differences()).toEqual([]);
});

test('FM23 of several unapplied payments of an invoice no more goes back than became credit, whatever else does', async () => {
  const invoice = await paidByCard();
  const { all, clock } = payments.invoices.hosts;
  const [paying] = await payments.attempts();
  /** Coins that came for an invoice, by payment; `credited` of them became credit. */
  const comeFor = async (invoice_id: string, coins: Record<number, number>, credited: number) => {
    for (const [n, received] of Object.entries(coins)) {
      const own = { id: `att_${n}`, attempt_no: Number(n), provider_ref: `coins_${n}`, invoice_id };
      const row = { ...paying!, ...own, method: 'bitcoin', receipts: undefined };
      await all
        .insertInto('attempt')
        .values({ ...row, received, unapplied: received } as never)
        .execute();
    }
    await all.updateTable('invoice').set({ credited }).where('id', '=', invoice_id).execute();
    const entry = { txn: `kept:${invoice_id}:0`, currency: 'THB', created_at: payments.invoices.now() };
    await all
      .insertInto('ledger_entry')
      .values([
        { ...entry, position: 0, account: 'refundsDue', amount: credited, provider: 'stripe' },
        { ...entry, position: 1, account: 'credit', amount: -credited, customer_id: customerId() },
      ])
      .execute();
  };
  await comeFor(invoice, { 2: 20_00, 3: 20_00 }, 30_00);
  // Newer credit, which goes back first: a note over the same invoice, and coins for another one.
  clock.advance(1_000);
  await creditNote(invoice, 40_00);
  clock.advance(1_000);
  await payments.invoices.hosts.subscription();
  const other = await payments.invoices.draftInvoice(null, 'ord_2');
  const own = { order_id: null, customer_id: customerId(), status: 'void' as const };
  await all.updateTable('invoice').set(own).where('id', '=', other).execute();
  await comeFor(other, { 4: 15_00 }, 15_00);
  // As much again could go back, but it never was money.
  await payments.invoices.grantGoodwill(50_00);
  await end();
  const sent = (await refunds()).map(({ amount }) => amount).sort((one, other) => one - other);
  expect(sent).toEqual([10_00, 15_00, 20_00, 40_00]);
  expect(await ended()).toEqual([{ currency: 'THB', refunded: 85_00, goodwill: 50_00, left: 0 }]);
  for (const id of [invoice, other])
    expect(await payments.invoices.invoiceRow(id)).toMatchObject({ credited: 0 });
});

test('FM23 what no payment can take back is an alert with its sum, and stays due', async () => {
  const invoice = await payments.invoices.paidInvoice();
  await creditNote(invoice, 40_00);
  await payments.invoices.grantGoodwill(10_00);
  await end();
  expect(await refunds()).toEqual([]);
  expect(await ended()).toEqual([{ currency: 'THB', refunded: 0, goodwill: 10_00, left: 40_00 }]);
  const [alert] = await payments.invoices.read(db => listAlerts(db));
  expect(alert).toMatchObject({
    kind: 'credit.unclaimed',
    subject: `${customerId()}:THB`,
    what: { currency: 'THB', amount: 40_00 },
  });
});
