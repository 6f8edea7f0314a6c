import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  claimPapers,
  type DocumentOf,
  documentFor,
  keepDocument,
  missingDocuments,
} from '../src/modules/billing/documents.ts';
import { factsOf, voidUnpaid } from '../src/modules/billing/index.ts';
import { invoiceView } from '../src/modules/billing/view.ts';
import { type Invoices, line, openInvoices, PRICE, seller, text } from './invoice-rows.ts';

/** What is printed of an invoice, and when. */
const DAY_MS = 24 * 60 * 60_000;
let rows: Invoices;
beforeEach(async () => {
  rows = await openInvoices();
});
afterEach(() => rows?.places.stop());

test('B20 each document is printed once: the invoice while it is open, then the receipt, and each credit note', async () => {
  const missing = (id: string) => rows.look(db => missingDocuments(db, id));
  const keep = (document: DocumentOf, id: string, pdf = 'pdf') =>
    rows.inOne(tx =>
      keepDocument(tx, rows.now(), document, { id, customerId: rows.owner.customerId }, Buffer.from(pdf)),
    );
  await rows.places.subscription();
  expect(await missing(await rows.draft(null, 'ord_2'))).toBeUndefined();
  expect(await missing('inv_none')).toBeUndefined();
  const { id } = (await rows.renew({ byHand: true }))!;
  const [invoice, receipt] = [
    { kind: 'invoice' as const, ofId: id },
    { kind: 'receipt' as const, ofId: id },
  ];
  expect(await missing(id)).toEqual([invoice]);
  expect([await keep(invoice, id), await keep(invoice, id, 'another')]).toEqual([true, false]);
  expect((await rows.look(db => documentFor(db, invoice)))!.pdf.toString()).toBe('pdf');
  expect(await missing(id)).toEqual([]);
  await rows.pay(id);
  expect(await missing(id)).toEqual([receipt]);
  await keep(receipt, id);
  const notes = [await rows.note(id, 10_00), await rows.note(id, 20_00)].map(each => ({
    ...{ kind: 'creditNote' as const, ofId: each.id },
  }));
  expect(await missing(id)).toHaveLength(2);
  await keep(notes[0]!, id, 'note');
  expect(await missing(id)).toEqual([notes[1]]);
  expect((await rows.look(db => documentFor(db, notes[0]!)))!.pdf.toString()).toBe('note');
  const claim = () => rows.inOne(tx => claimPapers(tx, id));
  expect([await claim(), await claim()]).toEqual([true, false]);
  const unpaid = await rows.draft();
  await rows.inOne(tx => voidUnpaid(tx, rows.now(), ['ord_1']));
  expect(await missing(unpaid)).toEqual([]);
});

test('a document says what it is of: an invoice by its reference, a receipt by its day, a credit note by its own amount', async () => {
  const facts = (kind: DocumentOf['kind'], ofId: string) => rows.look(db => factsOf(db, { kind, ofId }));
  const { id } = (await rows.renew({ byHand: true }))!;
  const issued = rows.now();
  const { reference } = await rows.row(id);
  const common = {
    invoiceId: id,
    purpose: 'renewal',
    subscriptionId: rows.owner.id,
    customerId: rows.owner.customerId,
  };
  const open = await facts('invoice', id);
  expect(open).toMatchObject({ ...common, kind: 'invoice', number: reference, reference, issuedAt: issued });
  expect(open).toMatchObject({
    period: rows.period(),
    lines: [line],
    net: 185_98,
    vat: 13_02,
    total: PRICE,
    seller,
  });
  for (const none of ['paidBy', 'credit']) expect(open).not.toHaveProperty(none);
  rows.places.clock.advance(DAY_MS);
  await rows.pay(id);
  await rows.places.all.updateTable('subscription').set({ renewal: 149_00 }).execute();
  expect(await facts('receipt', id)).toMatchObject({
    ...{ number: '2026-000001', issuedAt: rows.now(), renewal: 149_00 },
  });
  const credited = await rows.note(id, 50_00);
  const { net, vat } = { net: 46_73, vat: 3_27 };
  expect(await facts('creditNote', credited.id)).toEqual({
    ...{
      ...common,
      kind: 'creditNote',
      reference,
      language: 'en',
      number: credited.number,
      issuedAt: rows.now(),
    },
    ...{ seller, currency: 'THB', net, vat, total: 50_00 },
    lines: [{ text, net, vat, vatRateBp: 700, total: 50_00 }],
    credit: { reason: 'sorry', ofInvoice: '2026-000001' },
  });
  const bought = await rows.paid();
  expect(await facts('receipt', bought)).not.toHaveProperty('period');
  expect(await rows.look(db => invoiceView(db, rows.owner.customerId, id))).toMatchObject({
    lines: [{ text, amount: { currency: 'THB', price: PRICE, net: 185_98, vat: 13_02 } }],
    creditNotes: [
      {
        ...{ number: credited.number, reason: 'sorry', issuedAt: rows.now().toISOString() },
        total: { currency: 'THB', price: 50_00, net, vat },
      },
    ],
  });
});
