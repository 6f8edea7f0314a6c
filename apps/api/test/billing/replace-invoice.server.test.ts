import type { BuyerDetails } from '@fixpoint/contract/buyer-details.ts';
import { en16931Faults } from '@fixpoint/testkit/en16931.ts';
import { type GivenInvoices, givenInvoices, seller } from '@fixpoint/testkit/given/invoices.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  documentFor,
  documentView,
  eraseInvoices,
  replaceInvoice,
  saveBuyerDetails,
} from '../../src/modules/billing/index.ts';
import { createGenerateDocuments } from '../../src/modules/document/index.ts';
import type { DocumentContent } from '../../src/ports/document-renderer.ts';

/* A wrong name on a paid invoice: a document with a number of its own takes its place, and no money moves. */

const firm = (name: string): BuyerDetails => ({
  name,
  country: 'TH',
  line1: '1 Sukhumvit Rd',
  city: 'Watthana',
  postcode: '10110',
  taxId: '0105567000005',
  branch: '00000',
  recipients: ['books@example.com'],
});

describe.each([
  ['TH', 'ใบเสร็จรับเงิน / ใบกำกับภาษี', 'This document cancels and replaces'],
  ['DE', undefined, 'This document corrects the buyer’s details of'],
])('of a seller in %s', (country, legalTitle, sentence) => {
  let invoices: GivenInvoices;
  beforeAll(async () => {
    invoices = await givenInvoices({ ...seller, country });
  });
  afterAll(() => invoices?.hosts.stop());

  test('it refers to the old one, names the new company, and changes nothing in the books', async () => {
    const { customerId } = invoices.owner;
    const { all, db, clock } = invoices.hosts;
    const rendered: DocumentContent[] = [];
    const emails: unknown[] = [];
    const generate = createGenerateDocuments({
      db,
      clock,
      jobs: {
        enqueue: async (_tx, _name, data) => void emails.push(data),
        enqueueAll: async () => undefined,
      },
      brand: { name: 'Fixpoint', support: 'help@example.com' },
      country,
      payUrl: () => 'https://shop.example.com/pay',
      willBeCharged: async () => false,
      renderer: {
        isAvailable: true,
        render: async document => {
          rendered.push(document);
          return Buffer.from(document.xml);
        },
      },
    });
    const save = (name: string) =>
      invoices.inTransaction(tx => saveBuyerDetails(tx, invoices.now(), customerId, firm(name)));
    const replace = (number: string) =>
      invoices.inTransaction(tx => replaceInvoice(tx, invoices.now(), number, 'wrong name'));
    const run = () => invoices.read(() => generate({ invoiceId: id }));

    await save('Siam Tradin');
    const id = await invoices.paidInvoice();
    await run();
    const { number } = (await invoices.invoiceRow(id)) as { number: string };
    await expect(replace(number)).rejects.toThrow('names this company already');
    await expect(replace(`${number}0`)).rejects.toThrow(`${number}0 is not a paid invoice`);
    const books = () =>
      all.selectFrom('ledger_entry').selectAll().orderBy('txn').orderBy('position').execute();
    const before = [await books(), await invoices.invoiceRow(id)] as const;

    await save('Siam Trading');
    const first = await replace(number);
    expect(first).toMatch(/^RP\d{4}-000001$/);
    emails.length = 0;
    await run();
    const document = rendered.at(-1)!;
    expect(document.legalTitle).toBe(legalTitle);
    expect(document.parties[1]!.lines[0]).toBe('Siam Trading');
    expect(document.facts.map(({ value }) => value)).toEqual(expect.arrayContaining([first, number]));
    expect(document.notes[0]).toContain(`${sentence} ${number}`);
    expect(document.totals.at(-1)!.value).toContain('0.00');
    expect(document.xml).toContain('<ram:TypeCode>384</ram:TypeCode>');
    expect(document.xml).toContain(`<ram:IssuerAssignedID>${number}<`);
    expect(en16931Faults(document.xml)).toEqual([]);
    const found = await all.selectFrom('invoice_replacement').select('id').executeTakeFirstOrThrow();
    expect(emails).toEqual([
      { template: 'invoiceCopy', customerId, subjectId: found.id, copy: 'replacement-0' },
      { template: 'replaced', customerId, subjectId: found.id },
    ]);
    const { version: _, documents_due_at: __, ...row } = before[1];
    expect([await books(), await invoices.invoiceRow(id)]).toMatchObject([before[0], row]);

    // Once more: the replacement is replaced, not the first document.
    await save('Siam Trading Ltd');
    await expect(replace(number)).rejects.toThrow(`replaced already, by ${first}`);
    await replace(first);
    await run();
    expect(rendered.at(-1)!.notes[0]).toContain(first);
    const pdfs = await all.selectFrom('invoice_replacement').select('pdf').execute();
    expect(pdfs.every(({ pdf }) => pdf !== null)).toBe(true);
    const downloaded = await invoices.read(of => documentView(of, customerId, found.id));
    expect(downloaded).toMatchObject({ number: first, pdf: expect.any(Buffer) });

    // A later credit note refers to what is valid, and is made out to its company.
    await invoices.creditNote(id, 10_00);
    await run();
    expect(rendered.at(-1)!.parties[1]!.lines[0]).toBe('Siam Trading Ltd');
    expect(rendered.at(-1)!.facts.map(({ value }) => value)).toContain(first.replace('000001', '000002'));

    await invoices.inTransaction(tx => eraseInvoices(tx, customerId));
    emails.length = 0;
    rendered.length = 0;
    await run();
    expect(rendered).toHaveLength(4);
    expect(JSON.stringify(rendered)).not.toContain('Siam');
    expect(rendered[1]!.legalTitle).toBe(legalTitle);
    expect(rendered[1]!.parties[1]!.lines).toEqual([customerId]);
    expect(emails).toEqual([]);
    const again = await invoices.read(of => documentFor(of, { kind: 'replacement', ofId: found.id }));
    expect(again?.number).toBe(first);
    await expect(replace(first)).rejects.toThrow('is erased');
  });
});
