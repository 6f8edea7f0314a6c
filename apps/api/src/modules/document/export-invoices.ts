import type { billingCalls } from '@fixpoint/contract/calls/billing.ts';
import { subjectFaults } from '@fixpoint/contract/errors.ts';
import { fillMessage } from '@fixpoint/texts/message.ts';
import type { Handlers } from '../../kernel/caller.ts';
import { refuseFields } from '../../kernel/refusal.ts';
import type { Db } from '../../ports/database.ts';
import { documentView, PRODUCT_TYPES } from '../billing/index.ts';
import { namesIn, uiTexts } from '../text/index.ts';
import { csv } from './csv.ts';
import type { Export, ExportTickets } from './export-tickets.ts';
import { type ExportedRow, exportedRows, missingNumbers } from './exported-rows.ts';
import { type ZipFile, zip } from './zip.ts';

export type ExportedFile = { fileName: string; type: string; content: AsyncIterable<Buffer> };

export function exportHandlers({ db, tickets }: { db: Db; tickets: ExportTickets }) {
  return {
    async exportInvoices({ body: { year, format } }, { customerId, language, network }) {
      const rows = await exportedRows(db, customerId, year);
      if (rows.length === 0) return refuseFields({ year: subjectFaults.invoiceNotFound });
      const ticket = tickets.give(network, { customerId, year, format, language });
      return { ticket, missing: missingNumbers(rows) };
    },
  } satisfies Handlers<typeof billingCalls>;
}

/**
 * Opens the file of a ticket.
 * @param asCustomer confines each read to the rows of the ticket's customer
 */
export async function openExport(
  { db, asCustomer }: { db: Db; asCustomer: <T>(customerId: string, work: () => Promise<T>) => Promise<T> },
  wanted: Export,
): Promise<ExportedFile> {
  const { customerId, year, format, language } = wanted;
  const rows = await asCustomer(customerId, () => exportedRows(db, customerId, year));
  const texts = await uiTexts(db, language);
  if (format === 'csv') {
    const names = await namesIn(db, language);
    const table = csv(tableOf(rows, texts, names.plan));
    return { fileName: `${year}.csv`, type: 'text/csv; charset=utf-8', content: only(Buffer.from(table)) };
  }
  async function* files(): AsyncGenerator<ZipFile> {
    const missing = new Set(missingNumbers(rows));
    for (const { documentId, number } of rows) {
      if (documentId === null) continue;
      const document = await asCustomer(customerId, () => documentView(db, customerId, documentId));
      // Its legal retention has ended since the list was read.
      if (document) yield { name: `${number}.pdf`, content: document.pdf };
      else missing.add(number);
    }
    if (missing.size === 0) return;
    const text = fillMessage(texts['billing.export.missing']!, language, {
      numbers: [...missing].join(', '),
    });
    yield { name: 'missing.txt', content: Buffer.from(`${text}\n`) };
  }
  return { fileName: `${year}.zip`, type: 'application/zip', content: zip(files()) };
}

async function* only(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}

/** The table of a year in the customer's language; days as ISO 8601, amounts with a decimal point. */
function tableOf(
  rows: readonly ExportedRow[],
  texts: Readonly<Record<string, string>>,
  planName: (id: string) => string,
): (string | number)[][] {
  const text = (key: string) => texts[key]!;
  const kinds = {
    invoice: 'billing.invoiceTitle',
    receipt: 'billing.receipt',
    creditNote: 'billing.creditNote',
  };
  const header = [
    'billing.number',
    'billing.document',
    'billing.date',
    'billing.status',
    'subscription.title',
    'subscription.address',
    'billing.product',
    'billing.plan',
    'billing.period',
    'billing.currency',
    'billing.net',
    'billing.vat',
    'billing.total',
    'billing.method',
  ].map(text);
  return [
    header,
    ...rows.map(row => [
      row.number,
      text(kinds[row.kind]),
      row.day,
      text(`billing.status.${row.status}`),
      row.label ?? '',
      row.address ?? '',
      text(`billing.product.${PRODUCT_TYPES[row.purpose]}`),
      planName(row.text.planId),
      row.period ?? '',
      row.currency,
      row.net / 100,
      row.vat / 100,
      row.total / 100,
      row.method ? text(`billing.method.${row.method}`) : '',
    ]),
  ];
}
