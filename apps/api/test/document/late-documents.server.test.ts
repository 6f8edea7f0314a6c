import { type GivenInvoices, givenInvoices, PRICE } from '@fixpoint/testkit/given/invoices.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listAlerts } from '../../src/modules/alert/index.ts';
import { createGenerateDocuments } from '../../src/modules/document/index.ts';
import { documentLate } from '../../src/modules/email/emails/document-late.ts';
import type { JobData, Jobs } from '../../src/ports/jobs.ts';

/** A document that cannot be rendered keeps no email back, and follows. */
const HOUR_MS = 60 * 60_000;
let invoices: GivenInvoices;
beforeEach(async () => {
  invoices = await givenInvoices();
});
afterEach(() => invoices?.hosts.stop());

/** Generates documents with a renderer that a test can break. */
function generator() {
  const emails: JobData['sendEmail'][] = [];
  const jobs: Jobs = {
    enqueue: async (_tx, name, data) => void (name === 'sendEmail' && emails.push(data as never)),
    enqueueAll: async () => undefined,
  };
  const broken = { is: true };
  const generate = createGenerateDocuments({
    db: invoices.hosts.db,
    clock: invoices.hosts.clock,
    jobs,
    brand: { name: 'Fixpoint', support: 'help@example.com' },
    willBeCharged: async () => true,
    country: 'TH',
    payUrl: () => 'https://shop.example.com/pay',
    renderer: {
      isAvailable: true,
      async render() {
        if (broken.is) throw new Error('the renderer process has exited');
        return Buffer.from('pdf');
      },
    },
  });
  const run = (invoiceId: string) => invoices.read(() => generate({ invoiceId }));
  return { run, broken, sent: () => emails.splice(0) };
}
const alerts = () => invoices.read(db => listAlerts(db));

test('FM21 an email goes although its PDF cannot be rendered, once; an alert names the cause, and the PDF follows', async () => {
  const { run, broken, sent } = generator();
  const id = await invoices.paidInvoice();
  const { customerId } = invoices.owner;
  await run(id);
  const own = { template: 'receipt', subjectId: id, customerId };
  expect(sent()).toEqual([own]);
  const [alert] = await alerts();
  expect(alert).toMatchObject({
    kind: 'document.failed',
    subject: `receipt:${id}`,
    what: { invoice: id, error: 'Error: the renderer process has exited' },
    summary: expect.stringContaining('cannot be rendered'),
    remedy: expect.stringContaining(`alerts retry receipt:${id}`),
  });
  // The scheduled task asks again after an hour. No job fails, so no other alert blames a gateway.
  expect((await invoices.invoiceRow(id)).documents_due_at).toEqual(
    new Date(invoices.now().getTime() + HOUR_MS),
  );
  await run(id);
  expect(sent()).toEqual([]);
  const note = await invoices.creditNote(id, PRICE);
  await run(id);
  expect(sent()).toEqual([{ template: 'creditNote', subjectId: note.id, customerId }]);
  expect(await alerts()).toHaveLength(2);
  broken.is = false;
  await run(id);
  expect(sent()).toEqual([
    { template: 'documentLate', subjectId: id, copy: 'receipt', customerId },
    { template: 'documentLate', subjectId: note.id, copy: 'creditNote', customerId },
  ]);
  expect(await alerts()).toEqual([]);
  expect((await invoices.invoiceRow(id)).documents_due_at).toBeNull();
  await run(id);
  expect(sent()).toEqual([]);
  const write = (subjectId: string, copy: string) =>
    invoices.read(db => documentLate.write({ db, subjectId, copy, t: (key: string) => key } as never));
  const pdf = Buffer.from('pdf');
  expect((await write(id, 'receipt'))?.attachments).toEqual([{ fileName: '2026-000001.pdf', content: pdf }]);
  expect((await write(note.id, 'creditNote'))?.attachments).toEqual([
    { fileName: `${note.number}.pdf`, content: pdf },
  ]);
});

test('FM21 what is issued while a document cannot be rendered does not wait for the next try', async () => {
  const { run } = generator();
  const id = await invoices.paidInvoice();
  await run(id);
  await invoices.creditNote(id, PRICE);
  expect((await invoices.invoiceRow(id)).documents_due_at).toEqual(invoices.now());
});
