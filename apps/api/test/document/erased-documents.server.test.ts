import { type GivenInvoices, givenInvoices } from '@fixpoint/testkit/given/invoices.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eraseInvoices } from '../../src/modules/billing/index.ts';
import { createGenerateDocuments } from '../../src/modules/document/index.ts';
import type { DocumentContent } from '../../src/ports/document-renderer.ts';

let invoices: GivenInvoices;
beforeEach(async () => {
  invoices = await givenInvoices();
});
afterEach(() => invoices?.hosts.stop());

test('S83 the documents of an erased buyer are generated again without the address; nothing is emailed', async () => {
  const { customerId } = invoices.owner;
  const { hosts } = invoices;
  const rendered: DocumentContent[] = [];
  const emails: unknown[] = [];
  const generate = createGenerateDocuments({
    db: hosts.db,
    clock: hosts.clock,
    jobs: {
      enqueue: async (_tx, _name, data) => void emails.push(data),
      enqueueAll: async () => undefined,
    },
    brand: { name: 'Fixpoint', support: 'help@example.com' },
    country: 'TH',
    payUrl: () => 'https://shop.example.com/pay',
    willBeCharged: async () => false,
    renderer: {
      isAvailable: true,
      render: async document => {
        rendered.push(document);
        return Buffer.from(JSON.stringify(document));
      },
    },
  });
  const run = (invoiceId: string) => invoices.read(() => generate({ invoiceId }));
  const documents = () => hosts.all.selectFrom('document').select(['kind', 'pdf']).orderBy('kind').execute();

  const { start: period_end } = invoices.period();
  const period = { period_start: new Date(period_end.getTime() - 30 * 24 * 60 * 60_000), period_end };
  await hosts.all.updateTable('subscription').set(period).execute();
  const { id } = (await invoices.renewalInvoice({ collectionMethod: 'sendInvoice' }))!;
  await run(id);
  await invoices.pay(id);
  await run(id);
  await invoices.creditNote(id, 10_00);
  await run(id);
  const { email } = (await invoices.invoiceRow(id)).buyer;
  expect(rendered.map(({ parties }) => parties[1]!.lines)).toEqual([[email], [email], [email]]);
  expect(rendered[0]).toMatchObject({ pay: { url: 'https://shop.example.com/pay' }, due: [{}, {}] });
  emails.length = 0;

  await invoices.inTransaction(tx => eraseInvoices(tx, customerId));
  expect(await documents()).toEqual([]);
  const { documents_due_at } = await invoices.invoiceRow(id);
  expect(documents_due_at! <= invoices.now()).toBe(true);
  await run(id);
  const kept = await documents();
  expect(kept.map(({ kind }) => kind)).toEqual(['creditNote', 'receipt']);
  for (const { pdf } of kept) {
    expect(pdf.toString()).not.toContain(email);
    expect(pdf.toString()).toContain(customerId);
  }
  expect(emails).toEqual([]);
});
