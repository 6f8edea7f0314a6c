import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import type { LineText } from '../../ports/json-columns.ts';
import { invoiceDay, inYear, paysItsInvoice } from '../billing/index.ts';

/** One row of a year's export: an invoice, or a credit note with negative amounts. */
export type ExportedRow = {
  kind: 'invoice' | 'receipt' | 'creditNote';
  /** An invoice without a number has its payment reference. */
  number: string;
  /** Such as `2027-11-21`, in Bangkok. */
  day: string;
  purpose: 'purchase' | 'renewal' | 'upgrade' | 'reactivation';
  status: 'open' | 'paid' | 'void';
  label: string | null;
  address: string | null;
  text: LineText;
  /** First and last day of the paid period, as `2027-11-21/2027-12-21`. */
  period: string | null;
  currency: string;
  net: number;
  vat: number;
  total: number;
  method: string | null;
  /** Null: it is not generated yet. */
  documentId: string | null;
};

const invoices = (db: Db, customerId: string) =>
  db
    .selectFrom('invoice')
    .innerJoin('invoice_line as line', join =>
      join.onRef('line.invoice_id', '=', 'invoice.id').on('line.position', '=', 1),
    )
    .leftJoin('subscription', 'subscription.id', 'invoice.subscription_id')
    .leftJoin('static_ip', 'static_ip.subscription_id', 'invoice.subscription_id')
    .leftJoin('subscription_period as period', 'period.invoice_id', 'invoice.id')
    .leftJoin('attempt', join => join.onRef('attempt.invoice_id', '=', 'invoice.id').on(paysItsInvoice))
    .select(['invoice.purpose', 'invoice.currency', 'subscription.label', 'line.text', 'attempt.method'])
    .select(sql<string | null>`coalesce(host(static_ip.address), line.text ->> 'address')`.as('address'))
    .select(
      sql<string | null>`(period.starts_at at time zone 'Asia/Bangkok')::date || '/' ||
        (period.ends_at at time zone 'Asia/Bangkok')::date`.as('period'),
    )
    .where('invoice.customer_id', '=', customerId)
    .where('invoice.issued_at', 'is not', null);

const issuedNotes = (db: Db, customerId: string, year: number) =>
  invoices(db, customerId)
    .innerJoin('credit_note as note', 'note.invoice_id', 'invoice.id')
    .leftJoin('document', 'document.credit_note_id', 'note.id')
    .select(['note.number', 'document.id as documentId'])
    .select(sql<number>`-note.net`.as('net'))
    .select(sql<number>`-note.vat`.as('vat'))
    .select(sql<number>`-note.total`.as('total'))
    .select(sql<string>`(note.issued_at at time zone 'Asia/Bangkok')::date::text`.as('day'))
    .where(sql<boolean>`extract(year from note.issued_at at time zone 'Asia/Bangkok') = ${year}`)
    .execute();

const issuedInvoices = (db: Db, customerId: string, year: number) =>
  invoices(db, customerId)
    .leftJoin('document', join =>
      join
        .onRef('document.invoice_id', '=', 'invoice.id')
        .on(
          'document.kind',
          '=',
          sql`case invoice.status when 'paid' then 'receipt' when 'open' then 'invoice' end`,
        ),
    )
    .select(['invoice.status', 'invoice.net', 'invoice.vat', 'invoice.total'])
    .select(['document.id as documentId'])
    .select(sql<string>`coalesce(invoice.number, invoice.reference)`.as('number'))
    .select(sql<string>`${invoiceDay}::text`.as('day'))
    .where(inYear(year))
    .execute();

/** All invoices and credit notes of a customer and a year, by number. */
export async function exportedRows(db: Db, customerId: string, year: number): Promise<ExportedRow[]> {
  const own = await issuedInvoices(db, customerId, year);
  const notes = await issuedNotes(db, customerId, year);
  const rows: ExportedRow[] = [
    ...own.map(({ status, ...row }) => ({
      ...row,
      // A draft is not issued.
      status: status as ExportedRow['status'],
      kind: status === 'paid' ? ('receipt' as const) : ('invoice' as const),
    })),
    ...notes.map(note => ({ ...note, status: 'paid' as const, kind: 'creditNote' as const })),
  ];
  return rows.sort((one, other) => (one.number < other.number ? -1 : 1));
}

/** Numbers of the documents that an export lacks. A void invoice has none. */
export const missingNumbers = (rows: readonly ExportedRow[]): string[] =>
  rows
    .filter(({ documentId, status }) => documentId === null && status !== 'void')
    .map(({ number }) => number);
