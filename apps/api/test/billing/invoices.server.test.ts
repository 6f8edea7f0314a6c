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
  lockInvoice,
  openRenewalOf,
  prepayInvoice,
  readAmountDue,
  releaseCredit,
  voidRenewal,
  voidUnpaid,
} from '../../src/modules/billing/index.ts';

/** What an invoice goes through, as rows. */
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
let rows: GivenInvoices;
beforeEach(async () => {
  rows = await givenInvoices();
});
afterEach(() => rows?.places.stop());

test('B1 a purchase is issued with its payment, its receipt waits for the period; a renewal was issued before', async () => {
  const bought = await rows.paid();
  expect(await rows.row(bought)).toMatchObject({
    status: 'paid',
    number: '2026-000001',
    issued_at: rows.now(),
    paid_at: rows.now(),
    documents_due_at: new Date(rows.now().getTime() + 10 * MINUTE_MS),
  });
  // Said once more it stays as it is.
  expect((await rows.row(bought)).version).toBe(1);
  expect(await rows.draft()).toBeUndefined();
  const { id } = (await rows.renew())!;
  const issued = rows.now();
  expect(await rows.row(id)).toMatchObject({
    status: 'open',
    number: null,
    issued_at: issued,
    documents_due_at: null,
  });
  rows.places.clock.advance(DAY_MS);
  await rows.pay(id);
  expect(await rows.row(id)).toMatchObject({
    status: 'paid',
    number: '2026-000002',
    issued_at: issued,
    paid_at: rows.now(),
    documents_due_at: rows.now(),
  });
  await expect(rows.pay(id)).rejects.toThrow('is paid, not to be paid');
});

test('a period is asked for once; what its customer has in credit pays it, and nothing pays for nothing', async () => {
  const first = (await rows.renew({ collectionMethod: 'sendInvoice' }))!;
  expect(first.paid).toBe(false);
  expect((await rows.row(first.id)).documents_due_at).toEqual(rows.now());
  expect(await rows.renew()).toBeUndefined();
  expect(await rows.look(db => openRenewalOf(db, rows.owner.id))).toMatchObject({
    id: first.id,
    currency: 'THB',
    total: PRICE,
    issued_at: rows.now(),
    credit_used: 0,
    prepaid: 0,
  });
  expect(await rows.inOne(tx => voidRenewal(tx, rows.now(), rows.owner.id))).toBe(first.id);
  expect(await rows.inOne(tx => voidRenewal(tx, rows.now(), rows.owner.id))).toBeUndefined();
  expect((await rows.row(first.id)).status).toBe('void');

  await rows.goodwill(PRICE + 50_00);
  // What he has in another currency pays no part of it.
  await rows.goodwill(70_00, 'USD');
  expect((await rows.renew())!.paid).toBe(true);
  expect(await rows.credit()).toBe(50_00);
  const partly = (await rows.renew({ months: 1 }))!;
  expect([partly.paid, (await rows.row(partly.id)).credit_used, await rows.credit()]).toEqual([
    false,
    50_00,
    0,
  ]);
  const nothing = { ...line, net: 0, vat: 0, total: 0 };
  expect((await rows.renew({ months: 2, lines: [nothing] }))!.paid).toBe(true);
});

test('M11 credit is set aside once, and given back once; what is over or a guest’s takes none', async () => {
  const apply = (id: string, amount?: number) => rows.inOne(tx => applyCredit(tx, rows.now(), id, amount));
  const release = (id: string) =>
    rows.inOne(async tx => releaseCredit(tx, rows.now(), await lockInvoice(tx, id)));
  const id = await rows.draft();
  expect(await apply(id)).toBe(false);
  expect((await rows.row(id)).version).toBe(0);
  await rows.goodwill(80_00);
  await apply(id, 50_00);
  expect(await rows.row(id)).toMatchObject({ credit_used: 50_00, version: 1 });
  await apply(id, 30_00);
  expect([(await rows.row(id)).credit_used, await rows.credit()]).toEqual([50_00, 30_00]);
  const order = { id: 'ord_1', currency: 'THB', price: PRICE };
  expect(await rows.look(db => creditFor(db, order, rows.owner.customerId))).toBe(50_00);
  expect(await rows.look(db => creditFor(db, { ...order, id: 'ord_none' }, rows.owner.customerId))).toBe(
    30_00,
  );
  await release(id);
  expect(await rows.row(id)).toMatchObject({ credit_used: 0, version: 2 });
  await release(id);
  expect([(await rows.row(id)).version, await rows.credit()]).toEqual([2, 80_00]);

  await rows.pay(id);
  expect(await apply(id)).toBe(false);
  await release(id);
  expect(await rows.row(id)).toMatchObject({ status: 'paid', credit_used: 0 });
  const { id: renewal } = (await rows.renew())!;
  expect((await rows.row(renewal)).credit_used).toBe(80_00);
  await rows.pay(renewal);
  await release(renewal);
  expect([(await rows.row(renewal)).credit_used, await rows.credit()]).toEqual([80_00, 0]);
  await rows.places.subscription();
  const guest = await rows.draft(null, 'ord_2');
  expect(await apply(guest, 10_00)).toBe(false);
  expect((await rows.row(guest)).credit_used).toBe(0);
});

test('what came beyond an invoice is credit, and with it what was to count for it, unless it is paid', async () => {
  const keep = (id: string, amount: number) =>
    rows.inOne(async tx =>
      creditUnapplied(tx, rows.now(), await lockInvoice(tx, id), rows.owner.customerId, amount),
    );
  const id = await rows.draft();
  await rows.inOne(async tx => prepayInvoice(tx, await lockInvoice(tx, id), 20_00));
  expect(await rows.inOne(async tx => (await lockInvoice(tx, id)).due)).toBe(PRICE - 20_00);
  expect(await keep(id, 20_00)).toBe(`kept:${id}:0`);
  expect(await rows.row(id)).toMatchObject({ prepaid: 0, credited: 20_00, version: 2 });
  expect(await rows.credit()).toBe(20_00);
  await rows.inOne(async tx => prepayInvoice(tx, await lockInvoice(tx, id), 30_00));
  await rows.pay(id);
  expect(await rows.inOne(async tx => (await lockInvoice(tx, id)).due)).toBeUndefined();
  await keep(id, 5_00);
  expect(await rows.row(id)).toMatchObject({ prepaid: 30_00, credited: 25_00 });
  expect(await rows.credit()).toBe(25_00);
});

test('what was prepaid, and what unused days pay, is not asked for again, nor credit for it', async () => {
  await rows.goodwill(500_00);
  const id = await rows.draft();
  await rows.inOne(async tx => prepayInvoice(tx, await lockInvoice(tx, id), 20_00));
  await rows.places.all.updateTable('invoice').set({ prorated: 30_00 }).where('id', '=', id).execute();
  expect((await rows.look(db => readAmountDue(db, id))).due).toBe(PRICE - 50_00);
  const order = { id: 'ord_1', currency: 'THB', price: PRICE };
  expect(await rows.look(db => creditFor(db, order, rows.owner.customerId))).toBe(PRICE - 20_00);
});

test('an account that ends leaves no invoice unpaid, and hears which were paid before', async () => {
  const second = await rows.places.subscription();
  const [first, other] = [await rows.draft(), await rows.draft(second.customerId, 'ord_2')];
  await rows.pay(other);
  expect(await rows.inOne(tx => voidUnpaid(tx, rows.now(), ['ord_1', 'ord_2']))).toEqual(['ord_2']);
  expect([(await rows.row(first)).status, (await rows.row(other)).status]).toEqual(['void', 'paid']);
  expect(await rows.inOne(tx => voidUnpaid(tx, rows.now(), ['ord_1']))).toEqual([]);
});

test('an amount is taken back from several invoices, as credit or to pay another, and never more than they have', async () => {
  const one = await rows.paid();
  const { id: two } = (await rows.renew())!;
  await rows.pay(two);
  const give = (amount: number, pays?: string) =>
    rows.inOne(tx =>
      giveCredit(tx, rows.now(), {
        customerId: rows.owner.customerId,
        invoices: [one, two],
        amount,
        reason: 'sorry',
        ...(pays && { pays }),
      }),
    );
  expect(await give(0)).toEqual([]);
  expect(await give(PRICE + 50_00)).toEqual(['CN2026-000001', 'CN2026-000002']);
  expect(await rows.credit()).toBe(PRICE + 50_00);
  const { id: next } = (await rows.renew({ months: 1 }))!;
  expect(await give(10_00, next)).toEqual(['CN2026-000003']);
  expect(await rows.credit()).toBe(50_00);
  await expect(give(PRICE)).rejects.toThrow(`lack ${60_00} to be credited`);
  const notes = await rows.places.all
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

test('of a payment comes back what counts for its invoice and no credit note has taken back', async () => {
  const id = await rows.paid();
  const left = (received: number, unapplied: number) =>
    rows.look(db => creditable(db, { id }, { received, unapplied }));
  expect(await left(PRICE + 5_00, 5_00)).toBe(PRICE);
  await rows.note(id, 50_00);
  expect(await left(PRICE + 5_00, 5_00)).toBe(PRICE - 50_00);
  expect(await left(40_00, 0)).toBe(0);
  expect((await rows.row(id)).documents_due_at).toEqual(rows.now());
  const notes = rows.places.all.selectFrom('credit_note').select('credited');
  expect(await notes.execute()).toEqual([{ credited: false }]);
});

test('S83 an invoice keeps what was bought, and who bought it only as long as he has an account', async () => {
  const id = await rows.paid();
  const at = rows.now().toISOString();
  rows.places.clock.advance(DAY_MS);
  const { id: renewal } = (await rows.renew())!;
  const buyer = async (of = id) => (await rows.row(of)).buyer;
  await rows.inOne(tx => correctBuyer(tx, 'ord_1', 'right@example.com'));
  expect([await buyer(), await buyer(renewal)]).toEqual([
    { email: 'right@example.com' },
    { email: 'c1@example.com' },
  ]);
  await rows.inOne(tx => eraseBuyers(tx, []));
  expect(await buyer()).toEqual({ email: 'right@example.com' });
  await rows.inOne(tx => eraseBuyers(tx, ['ord_1']));
  expect([await buyer(), await buyer(renewal)]).toEqual([{}, { email: 'c1@example.com' }]);
  await rows.inOne(tx => eraseInvoices(tx, rows.owner.customerId));
  expect(await buyer(renewal)).toEqual({});
  const { customerId } = await rows.places.subscription();
  await rows.draft(customerId, 'ord_2');
  const read = async (of: string) => (await rows.look(db => invoicesOf(db, of))).invoices;
  const [[first], [last]] = [await read(rows.owner.customerId), await read(customerId)];
  expect(first).toEqual({
    number: '2026-000001',
    status: 'paid',
    currency: 'THB',
    net: 185_98,
    vat: 13_02,
    total: PRICE,
    createdAt: at,
    issuedAt: at,
  });
  expect(last).toMatchObject({
    number: null,
    status: 'draft',
    createdAt: rows.now().toISOString(),
    issuedAt: null,
  });
});
