import { type GivenInvoices, givenInvoices, line, PRICE } from '@fixpoint/testkit/given/invoices.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  applyCredit,
  correctBuyer,
  creditable,
  creditFor,
  creditUnapplied,
  eraseBuyers,
  eraseInvoices,
  giveCredit,
  invoicesOf,
  lastNumber,
  lockInvoice,
  nextNumbers,
  openRenewalOf,
  prepayInvoice,
  readAmountDue,
  releaseCredit,
  skipNumbers,
  voidRenewal,
  voidUnpaid,
} from '../../src/modules/billing/index.ts';

/** States of an invoice, on inserted rows. */
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
let invoices: GivenInvoices;
beforeEach(async () => {
  invoices = await givenInvoices();
});
afterEach(() => invoices?.hosts.stop());

test('B1 a purchase is issued with its payment, its receipt waits for the period; a renewal is issued before', async () => {
  const bought = await invoices.paidInvoice();
  expect(await invoices.invoiceRow(bought)).toMatchObject({
    status: 'paid',
    number: '2026-000001',
    issued_at: invoices.now(),
    paid_at: invoices.now(),
    documents_due_at: new Date(invoices.now().getTime() + MINUTE_MS),
  });
  // Issuing it again changes nothing.
  expect((await invoices.invoiceRow(bought)).version).toBe(1);
  expect(await invoices.draftInvoice()).toBeUndefined();
  const { id } = (await invoices.renewalInvoice())!;
  const issued = invoices.now();
  expect(await invoices.invoiceRow(id)).toMatchObject({
    status: 'open',
    number: null,
    issued_at: issued,
    documents_due_at: null,
  });
  invoices.hosts.clock.advance(DAY_MS);
  await invoices.pay(id);
  expect(await invoices.invoiceRow(id)).toMatchObject({
    status: 'paid',
    number: '2026-000002',
    issued_at: issued,
    paid_at: invoices.now(),
    documents_due_at: invoices.now(),
  });
  await expect(invoices.pay(id)).rejects.toThrow('is paid, not to be paid');
});

test('numbers that the shop gave after its backup are skipped, and none is given twice', async () => {
  await invoices.paidInvoice();
  await invoices.inTransaction(tx => skipNumbers(tx, '2026', 5));
  const next = [{ series: '2026', next: '2026-000006' }];
  expect(await invoices.read(nextNumbers)).toEqual(next);
  // A second restore that knows less gives none back.
  await invoices.inTransaction(tx => skipNumbers(tx, '2026', 3));
  expect(await invoices.read(nextNumbers)).toEqual(next);
  const { id } = (await invoices.renewalInvoice())!;
  await invoices.pay(id);
  expect((await invoices.invoiceRow(id)).number).toBe('2026-000006');
  expect(await invoices.read(db => Promise.all(['2026', '2025'].map(of => lastNumber(db, of))))).toEqual([
    6, 0,
  ]);
});

test("a period is invoiced once; the customer's credit pays it, and a zero amount is not charged", async () => {
  const first = (await invoices.renewalInvoice({ collectionMethod: 'sendInvoice' }))!;
  expect(first.paid).toBe(false);
  expect((await invoices.invoiceRow(first.id)).documents_due_at).toEqual(invoices.now());
  expect(await invoices.renewalInvoice()).toBeUndefined();
  expect(await invoices.read(db => openRenewalOf(db, invoices.owner.id))).toMatchObject({
    id: first.id,
    currency: 'THB',
    total: PRICE,
    issued_at: invoices.now(),
    credit_used: 0,
    prepaid: 0,
  });
  expect(await invoices.inTransaction(tx => voidRenewal(tx, invoices.now(), invoices.owner.id))).toBe(
    first.id,
  );
  expect(
    await invoices.inTransaction(tx => voidRenewal(tx, invoices.now(), invoices.owner.id)),
  ).toBeUndefined();
  expect((await invoices.invoiceRow(first.id)).status).toBe('void');

  await invoices.grantGoodwill(PRICE + 50_00);
  // Credit in another currency does not count.
  await invoices.grantGoodwill(70_00, 'USD');
  expect((await invoices.renewalInvoice())!.paid).toBe(true);
  expect(await invoices.credit()).toBe(50_00);
  const partly = (await invoices.renewalInvoice({ months: 1 }))!;
  expect([partly.paid, (await invoices.invoiceRow(partly.id)).credit_used, await invoices.credit()]).toEqual([
    false,
    50_00,
    0,
  ]);
  const nothing = { ...line, net: 0, vat: 0, total: 0 };
  expect((await invoices.renewalInvoice({ months: 2, lines: [nothing] }))!.paid).toBe(true);
});

test("M11 credit is reserved once and released once; a void invoice or a guest's takes none", async () => {
  const apply = (id: string, amount?: number) =>
    invoices.inTransaction(tx => applyCredit(tx, invoices.now(), id, amount));
  const release = (id: string) =>
    invoices.inTransaction(async tx => releaseCredit(tx, invoices.now(), await lockInvoice(tx, id)));
  const id = await invoices.draftInvoice();
  expect(await apply(id)).toBe(false);
  expect((await invoices.invoiceRow(id)).version).toBe(0);
  await invoices.grantGoodwill(80_00);
  await apply(id, 50_00);
  expect(await invoices.invoiceRow(id)).toMatchObject({ credit_used: 50_00, version: 1 });
  await apply(id, 30_00);
  expect([(await invoices.invoiceRow(id)).credit_used, await invoices.credit()]).toEqual([50_00, 30_00]);
  const order = { id: 'ord_1', currency: 'THB', price: PRICE };
  expect(await invoices.read(db => creditFor(db, order, invoices.owner.customerId))).toBe(50_00);
  expect(
    await invoices.read(db => creditFor(db, { ...order, id: 'ord_none' }, invoices.owner.customerId)),
  ).toBe(30_00);
  await release(id);
  expect(await invoices.invoiceRow(id)).toMatchObject({ credit_used: 0, version: 2 });
  await release(id);
  expect([(await invoices.invoiceRow(id)).version, await invoices.credit()]).toEqual([2, 80_00]);

  await invoices.pay(id);
  expect(await apply(id)).toBe(false);
  await release(id);
  expect(await invoices.invoiceRow(id)).toMatchObject({ status: 'paid', credit_used: 0 });
  const { id: renewal } = (await invoices.renewalInvoice())!;
  expect((await invoices.invoiceRow(renewal)).credit_used).toBe(80_00);
  await invoices.pay(renewal);
  await release(renewal);
  expect([(await invoices.invoiceRow(renewal)).credit_used, await invoices.credit()]).toEqual([80_00, 0]);
  await invoices.hosts.subscription();
  const guest = await invoices.draftInvoice(null, 'ord_2');
  expect(await apply(guest, 10_00)).toBe(false);
  expect((await invoices.invoiceRow(guest)).credit_used).toBe(0);
});

test('money above an invoice becomes credit together with its prepayment, unless the invoice is paid', async () => {
  const keep = (id: string, amount: number) =>
    invoices.inTransaction(async tx =>
      creditUnapplied(tx, invoices.now(), await lockInvoice(tx, id), invoices.owner.customerId, amount),
    );
  const id = await invoices.draftInvoice();
  await invoices.inTransaction(async tx => prepayInvoice(tx, await lockInvoice(tx, id), 20_00));
  expect(await invoices.inTransaction(async tx => (await lockInvoice(tx, id)).due)).toBe(PRICE - 20_00);
  expect(await keep(id, 20_00)).toBe(`kept:${id}:0`);
  expect(await invoices.invoiceRow(id)).toMatchObject({ prepaid: 0, credited: 20_00, version: 2 });
  expect(await invoices.credit()).toBe(20_00);
  await invoices.inTransaction(async tx => prepayInvoice(tx, await lockInvoice(tx, id), 30_00));
  await invoices.pay(id);
  expect(await invoices.inTransaction(async tx => (await lockInvoice(tx, id)).due)).toBeUndefined();
  await keep(id, 5_00);
  expect(await invoices.invoiceRow(id)).toMatchObject({ prepaid: 30_00, credited: 25_00 });
  expect(await invoices.credit()).toBe(25_00);
});

test('prepaid money and unused days are not due again, nor does credit pay for them', async () => {
  await invoices.grantGoodwill(500_00);
  const id = await invoices.draftInvoice();
  await invoices.inTransaction(async tx => prepayInvoice(tx, await lockInvoice(tx, id), 20_00));
  await invoices.hosts.all.updateTable('invoice').set({ prorated: 30_00 }).where('id', '=', id).execute();
  expect((await invoices.read(db => readAmountDue(db, id))).due).toBe(PRICE - 50_00);
  const order = { id: 'ord_1', currency: 'THB', price: PRICE };
  expect(await invoices.read(db => creditFor(db, order, invoices.owner.customerId))).toBe(PRICE - 20_00);
});

test('an account that ends leaves no unpaid invoice, and learns which were paid before', async () => {
  const second = await invoices.hosts.subscription();
  const [first, other] = [
    await invoices.draftInvoice(),
    await invoices.draftInvoice(second.customerId, 'ord_2'),
  ];
  await invoices.pay(other);
  expect(await invoices.inTransaction(tx => voidUnpaid(tx, invoices.now(), ['ord_1', 'ord_2']))).toEqual([
    'ord_2',
  ]);
  expect([(await invoices.invoiceRow(first)).status, (await invoices.invoiceRow(other)).status]).toEqual([
    'void',
    'paid',
  ]);
  expect(await invoices.inTransaction(tx => voidUnpaid(tx, invoices.now(), ['ord_1']))).toEqual([]);
});

test('an amount is credited from several invoices, as credit or for another invoice, up to their total', async () => {
  const one = await invoices.paidInvoice();
  const { id: two } = (await invoices.renewalInvoice())!;
  await invoices.pay(two);
  const give = (amount: number, pays?: string) =>
    invoices.inTransaction(tx =>
      giveCredit(tx, invoices.now(), {
        customerId: invoices.owner.customerId,
        invoices: [one, two],
        amount,
        reason: 'sorry',
        ...(pays && { pays }),
      }),
    );
  expect(await give(0)).toEqual([]);
  expect(await give(PRICE + 50_00)).toEqual(['CN2026-000001', 'CN2026-000002']);
  expect(await invoices.credit()).toBe(PRICE + 50_00);
  const { id: next } = (await invoices.renewalInvoice({ months: 1 }))!;
  expect(await give(10_00, next)).toEqual(['CN2026-000003']);
  expect(await invoices.credit()).toBe(50_00);
  await expect(give(PRICE)).rejects.toThrow(`lack ${60_00} to be credited`);
  const notes = await invoices.hosts.all
    .selectFrom('credit_note')
    .select([
      'invoice_id',
      'total',
      'credited',
      'pays_invoice_id as pays',
      'dispute_id as dispute',
      'prorated',
    ])
    .orderBy('number')
    .execute();
  const none = { credited: true, pays: null, dispute: null, prorated: false };
  expect(notes).toEqual([
    { ...none, invoice_id: one, total: PRICE },
    { ...none, invoice_id: two, total: 50_00 },
    { ...none, invoice_id: two, total: 10_00, pays: next },
  ]);
});

test('a refund of a payment covers the part that counts for its invoice and has no credit note', async () => {
  const id = await invoices.paidInvoice();
  const left = (received: number, unapplied: number) =>
    invoices.read(db => creditable(db, { id }, { received, unapplied }));
  expect(await left(PRICE + 5_00, 5_00)).toBe(PRICE);
  await invoices.creditNote(id, 50_00);
  expect(await left(PRICE + 5_00, 5_00)).toBe(PRICE - 50_00);
  expect(await left(40_00, 0)).toBe(0);
  expect((await invoices.invoiceRow(id)).documents_due_at).toEqual(invoices.now());
  const notes = invoices.hosts.all.selectFrom('credit_note').select('credited');
  expect(await notes.execute()).toEqual([{ credited: false }]);
});

test('S83 an invoice keeps the product, and its buyer only while the account exists', async () => {
  const id = await invoices.paidInvoice();
  const at = invoices.now().toISOString();
  invoices.hosts.clock.advance(DAY_MS);
  const { id: renewal } = (await invoices.renewalInvoice())!;
  const buyer = async (of = id) => (await invoices.invoiceRow(of)).buyer;
  const correct = (orderId: string) =>
    invoices.inTransaction(tx => correctBuyer(tx, orderId, 'right@example.com'));
  // Without documents there is none to make again.
  expect([await correct('ord_1'), await correct('ord_without_invoice')]).toEqual([undefined, undefined]);
  expect([await buyer(), await buyer(renewal)]).toEqual([
    { email: 'right@example.com' },
    { email: 'c1@example.com' },
  ]);
  await invoices.inTransaction(tx => eraseBuyers(tx, []));
  expect(await buyer()).toEqual({ email: 'right@example.com' });
  await invoices.inTransaction(tx => eraseBuyers(tx, ['ord_1']));
  expect([await buyer(), await buyer(renewal)]).toEqual([{}, { email: 'c1@example.com' }]);
  await invoices.inTransaction(tx => eraseInvoices(tx, invoices.owner.customerId));
  expect(await buyer(renewal)).toEqual({});
  const { customerId } = await invoices.hosts.subscription();
  await invoices.draftInvoice(customerId, 'ord_2');
  const read = async (of: string) => (await invoices.read(db => invoicesOf(db, of))).invoices;
  const [[first], [last]] = [await read(invoices.owner.customerId), await read(customerId)];
  expect(first).toEqual({
    number: '2026-000001',
    status: 'paid',
    currency: 'THB',
    net: 185_98,
    vat: 13_02,
    total: PRICE,
    createdAt: at,
    issuedAt: at,
    company: null,
  });
  expect(last).toMatchObject({
    number: null,
    status: 'draft',
    createdAt: invoices.now().toISOString(),
    issuedAt: null,
  });
});
