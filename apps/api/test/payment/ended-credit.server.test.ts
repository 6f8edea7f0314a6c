import { PRICE } from '@fixpoint/testkit/given/invoices.ts';
import { type GivenPayments, givenPayments } from '@fixpoint/testkit/given/payments.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listAlerts } from '../../src/modules/alert/index.ts';
import { endedCredit, giveCredit } from '../../src/modules/billing/index.ts';
import { checkDatabase } from '../../src/modules/books/index.ts';
import { creditUnapplied } from '../../src/modules/checkout/credit-unapplied.ts';
import type { CheckoutDeps } from '../../src/modules/checkout/deps.ts';
import { followPayment } from '../../src/modules/payment/attempt/follow-payment.ts';
import { endCredit } from '../../src/modules/payment/refund/end-credit.ts';
import { followRefund } from '../../src/modules/payment/refund/follow-refund.ts';
import { retryRefund } from '../../src/modules/payment/refund/retry-refund.ts';

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
  const account = {
    byId: async () => ({ id: customerId(), hasPassword: true }),
    holdActive: async () => true,
  };
  const payment = { fallenPrice: async () => undefined };
  const deps = { ...payments.deps, account, payment } as unknown as CheckoutDeps;
  await payments.run(() => creditUnapplied(deps, invoice));
  expect(await payments.invoices.credit()).toBe(50_00);
  await end();
  expect(await refunds()).toEqual([{ amount: 50_00, reason: 'unapplied' }]);
  expect(await payments.invoices.invoiceRow(invoice)).toMatchObject({ credited: 0 });
  expect(await payments.invoices.credit()).toBe(0);
  expect(await differences()).toEqual([]);
});

test('FM23 of several unapplied payments of an invoice no more goes back than became credit', async () => {
  const invoice = await paidByCard();
  const { all } = payments.invoices.hosts;
  const [paying] = await payments.attempts();
  for (const n of [2, 3]) {
    const { ...row } = paying!;
    const own = { id: `att_${n}`, attempt_no: n, provider_ref: `coins_${n}`, method: 'bitcoin' as const };
    await all
      .insertInto('attempt')
      .values({ ...row, ...own, receipts: undefined, received: 20_00, unapplied: 20_00 } as never)
      .execute();
  }
  await all.updateTable('invoice').set({ credited: 30_00 }).where('id', '=', invoice).execute();
  const entry = { txn: `kept:${invoice}:0`, currency: 'THB', created_at: payments.invoices.now() };
  await all
    .insertInto('ledger_entry')
    .values([
      { ...entry, position: 0, account: 'refundsDue', amount: 30_00, provider: 'stripe' },
      { ...entry, position: 1, account: 'credit', amount: -30_00, customer_id: customerId() },
    ])
    .execute();
  await end();
  const sent = (await refunds()).map(({ amount }) => amount).sort((one, other) => one - other);
  expect(sent).toEqual([10_00, 20_00]);
  expect(await payments.invoices.invoiceRow(invoice)).toMatchObject({ credited: 0 });
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
