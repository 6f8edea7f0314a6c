import {
  type GivenInvoices,
  givenInvoices,
  line,
  PRICE,
  seller,
  text,
} from '@fixpoint/testkit/given/invoices.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  claimDocuments,
  type DocumentRef,
  documentFor,
  storeDocument,
} from '../../src/modules/billing/documents.ts';
import { lockInvoice, prepayInvoice, voidRenewal, voidUnpaid } from '../../src/modules/billing/index.ts';
import { invoiceView } from '../../src/modules/billing/view.ts';
import { missingDocuments } from '../../src/modules/document/document-facts.ts';

/** The documents of an invoice and their time. */
const DAY_MS = 24 * 60 * 60_000;
let invoices: GivenInvoices;
beforeEach(async () => {
  invoices = await givenInvoices();
});
afterEach(() => invoices?.hosts.stop());

/** The facts of a missing document. */
async function factsOf(kind: DocumentRef['kind'], invoiceId: string) {
  const missing = await invoices.read(db => missingDocuments(db, invoiceId));
  return missing!.find(facts => facts.kind === kind)!;
}

test('B20 each document is rendered once: the invoice while it is open, then the receipt, and each credit note', async () => {
  const missing = async (id: string) =>
    (await invoices.read(db => missingDocuments(db, id)))?.map(({ kind, ofId }) => ({ kind, ofId }));
  const keep = (document: DocumentRef, id: string, pdf = 'pdf') =>
    invoices.inTransaction(tx =>
      storeDocument(
        tx,
        invoices.now(),
        document,
        { id, customerId: invoices.owner.customerId },
        Buffer.from(pdf),
      ),
    );
  await invoices.hosts.subscription();
  expect(await missing(await invoices.draftInvoice(null, 'ord_2'))).toBeUndefined();
  expect(await missing('inv_none')).toBeUndefined();
  const { id } = (await invoices.renewalInvoice({ collectionMethod: 'sendInvoice' }))!;
  const [invoice, receipt] = [
    { kind: 'invoice' as const, ofId: id },
    { kind: 'receipt' as const, ofId: id },
  ];
  expect(await missing(id)).toEqual([invoice]);
  expect([await keep(invoice, id), await keep(invoice, id, 'another')]).toEqual([true, false]);
  expect((await invoices.read(db => documentFor(db, invoice)))!.pdf.toString()).toBe('pdf');
  expect(await missing(id)).toEqual([]);
  await invoices.pay(id);
  expect(await missing(id)).toEqual([receipt]);
  await keep(receipt, id);
  const notes = [await invoices.creditNote(id, 10_00), await invoices.creditNote(id, 20_00)].map(each => ({
    kind: 'creditNote' as const,
    ofId: each.id,
  }));
  expect(await missing(id)).toHaveLength(2);
  await keep(notes[0]!, id, 'note');
  expect(await missing(id)).toEqual([notes[1]]);
  expect((await invoices.read(db => documentFor(db, notes[0]!)))!.pdf.toString()).toBe('note');
  const claim = () => invoices.inTransaction(tx => claimDocuments(tx, id));
  expect([await claim(), await claim()]).toEqual([true, false]);
  const unpaid = await invoices.draftInvoice();
  await invoices.inTransaction(tx => voidUnpaid(tx, invoices.now(), ['ord_1']));
  expect(await missing(unpaid)).toEqual([]);
});

test('B24 an invoice shows the credit used and the rest due; a paid one asks for nothing', async () => {
  await invoices.grantGoodwill(30_00);
  const { id } = (await invoices.renewalInvoice({ collectionMethod: 'sendInvoice' }))!;
  const texts = async (kind: 'invoice' | 'receipt') => ({
    document: (await factsOf(kind, id)).settled,
    page: (await invoices.read(db => invoiceView(db, invoices.owner.customerId, id)))!.settled,
  });
  const open = { prorated: 0, creditUsed: 30_00, paid: 0, due: PRICE - 30_00 };
  expect(await texts('invoice')).toEqual({ document: open, page: open });
  // An underpayment by itself: the rate changed while a wallet sent it.
  await invoices.inTransaction(async tx => prepayInvoice(tx, await lockInvoice(tx, id), 50_00));
  const partly = { ...open, paid: 50_00, due: PRICE - 80_00 };
  expect(await texts('invoice')).toEqual({ document: partly, page: partly });
  await invoices.pay(id);
  const paid = { ...open, paid: PRICE - 30_00, due: 0 };
  expect(await texts('receipt')).toEqual({ document: paid, page: paid });
});

test('B24 an invoice paid by credit alone names credit as its payment method, on its page and in its document', async () => {
  await invoices.grantGoodwill(PRICE);
  const { id } = (await invoices.renewalInvoice())!;
  expect(await invoices.invoiceRow(id)).toMatchObject({ status: 'paid', credit_used: PRICE });
  const facts = await factsOf('receipt', id);
  expect(facts.paidBy).toEqual({ method: 'credit', card: null });
  expect(await invoices.read(db => invoiceView(db, invoices.owner.customerId, id))).toMatchObject({
    paymentMethod: 'credit',
  });
});

test('B24 unused days of another subscription are on the invoice that they pay; a void one asks for nothing', async () => {
  const id = await invoices.draftInvoice();
  await invoices.hosts.all.updateTable('invoice').set({ prorated: 20_00 }).where('id', '=', id).execute();
  await invoices.pay(id);
  const settled = { prorated: 20_00, creditUsed: 0, paid: PRICE - 20_00, due: 0 };
  const facts = await factsOf('receipt', id);
  expect(facts).toMatchObject({ settled });
  expect(facts).not.toHaveProperty('paidBy');
  const renewal = (await invoices.renewalInvoice())!;
  await invoices.inTransaction(tx => voidRenewal(tx, invoices.now(), invoices.owner.id));
  const view = await invoices.read(db => invoiceView(db, invoices.owner.customerId, renewal.id));
  expect(view).toMatchObject({ status: 'void' });
  expect(view).not.toHaveProperty('settled');
});

test('a document names its subject: an invoice its reference, a receipt its date, a credit note its own amount', async () => {
  const { id } = (await invoices.renewalInvoice({ collectionMethod: 'sendInvoice' }))!;
  const issued = invoices.now();
  const { reference } = await invoices.invoiceRow(id);
  const common = {
    invoiceId: id,
    purpose: 'renewal',
    subscriptionId: invoices.owner.id,
    customerId: invoices.owner.customerId,
    email: 'c1@example.com',
    address: null,
  };
  const open = await factsOf('invoice', id);
  expect(open).toMatchObject({ ...common, kind: 'invoice', number: reference, reference, issuedAt: issued });
  expect(open).toMatchObject({
    period: invoices.period(),
    lines: [line],
    net: 185_98,
    vat: 13_02,
    total: PRICE,
    seller,
  });
  for (const none of ['paidBy', 'credit']) expect(open).not.toHaveProperty(none);
  invoices.hosts.clock.advance(DAY_MS);
  await invoices.pay(id);
  await invoices.hosts.all.updateTable('subscription').set({ renewal: 149_00 }).execute();
  expect(await factsOf('receipt', id)).toMatchObject({
    number: '2026-000001',
    issuedAt: invoices.now(),
    renewal: 149_00,
  });
  const credited = await invoices.creditNote(id, 50_00);
  const { net, vat } = { net: 46_73, vat: 3_27 };
  expect(await factsOf('creditNote', id)).toEqual({
    ...common,
    kind: 'creditNote',
    ofId: credited.id,
    reference,
    language: 'en',
    number: credited.number,
    issuedAt: invoices.now(),
    seller,
    currency: 'THB',
    net,
    vat,
    total: 50_00,
    lines: [{ text, net, vat, vatRateBp: 700, total: 50_00 }],
    credit: { reason: 'sorry', ofInvoice: '2026-000001' },
  });
  const bought = await invoices.paidInvoice();
  expect(await factsOf('receipt', bought)).not.toHaveProperty('period');
  expect(await invoices.read(db => invoiceView(db, invoices.owner.customerId, id))).toMatchObject({
    lines: [{ text, amount: { currency: 'THB', price: PRICE, net: 185_98, vat: 13_02 } }],
    creditNotes: [
      {
        number: credited.number,
        reason: 'sorry',
        issuedAt: invoices.now().toISOString(),
        total: { currency: 'THB', price: 50_00, net, vat },
      },
    ],
  });
});
