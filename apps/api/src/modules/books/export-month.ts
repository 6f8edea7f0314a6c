import { type Expression, sql } from 'kysely';
import { csvOf } from '../../kernel/csv.ts';
import { type FileOfZip, zipOf } from '../../kernel/zip.ts';
import type { Db } from '../../ports/database.ts';
import { checkDatabase } from './check.ts';

/** Why a month cannot be exported, as a sentence for staff. */
class NotExportable extends Error {
  override name = 'NotExportable';
}

type Row = Record<string, string | number | null>;

/** Amounts in whole units, as documents show them. */
const units = (minor: Expression<number | null>) =>
  sql<string>`(${minor}::numeric / 100)::numeric(20, 2)::text`;

/**
 * The documents of a month that is over, by the day of their number, with the payments that came and the refunds that were
 * begun in it, by the day in Bangkok. The PDFs are read while `content` is.
 * @param month `2026-11`
 * @throws NotExportable also while the books do not balance
 */
export async function exportMonth(db: Db, now: Date, month: string) {
  const [first, next] = boundsOf(month);
  if (next > now) throw new NotExportable(`${month} is not over yet.`);
  if ((await checkDatabase(db, now)).length > 0)
    throw new NotExportable('The books do not balance. To see why, run:\nnpm run shop -- books --database');
  const tables = {
    invoices: await invoicesOf(db, first, next),
    'credit-notes': await creditNotesOf(db, first, next),
    payments: await paymentsOf(db, first, next),
    refunds: await refundsOf(db, first, next),
  };
  const files = Object.entries(tables).map(([name, rows]) => ({
    name: `${name}.csv`,
    read: async () => csvOf(COLUMNS[name as keyof typeof tables], rows),
  }));
  const documents = await documentsOf(db, first, next);
  return {
    name: `${month}.zip`,
    content: zipOf([...files, ...documents]),
    rows: Object.fromEntries(Object.entries(tables).map(([name, rows]) => [name, rows.length])),
    documents: documents.length,
  };
}

const COLUMNS = {
  invoices: ['number', 'day', 'purpose', 'status', 'currency', 'net', 'vat', 'total', 'buyer', 'paid'],
  'credit-notes': ['number', 'day', 'invoice', 'currency', 'net', 'vat', 'total', 'reason'],
  payments: ['payment', 'day', 'invoice', 'method', 'providerRef', 'currency', 'received', 'fee'],
  refunds: ['refund', 'day', 'creditNote', 'status', 'providerRef', 'currency', 'amount'],
};

/** Start of the month and of the next one in Bangkok. */
function boundsOf(month: string): [Date, Date] {
  const [year, number] = month.split('-').map(Number) as [number, number];
  const startOf = (y: number, m: number) => new Date(`${y}-${String(m).padStart(2, '0')}-01T00:00:00+07:00`);
  return [startOf(year, number), number === 12 ? startOf(year + 1, 1) : startOf(year, number + 1)];
}

const dayOf = (instant: Expression<Date | null>) =>
  sql<string>`(${instant} at time zone 'Asia/Bangkok')::date::text`;
/** The day of a document's number; version 0.2 stored none, but when it was issued. */
const INVOICE_DAY = sql<string>`coalesce(invoice.numbered_on, (invoice.issued_at at time zone 'Asia/Bangkok')::date)`;
const NOTE_DAY = sql<string>`coalesce(credit_note.numbered_on,
  (credit_note.issued_at at time zone 'Asia/Bangkok')::date)`;
const within = (day: typeof INVOICE_DAY, first: Date, next: Date) =>
  sql<boolean>`${day} >= (${first}::timestamptz at time zone 'Asia/Bangkok')::date
    and ${day} < (${next}::timestamptz at time zone 'Asia/Bangkok')::date`;

async function invoicesOf(db: Db, first: Date, next: Date): Promise<Row[]> {
  return db
    .selectFrom('invoice')
    .select(['number', 'purpose', 'status', 'currency'])
    .select(({ ref }) => [sql<string>`${INVOICE_DAY}::text`.as('day'), dayOf(ref('paid_at')).as('paid')])
    .select(({ ref }) => [
      units(ref('net')).as('net'),
      units(ref('vat')).as('vat'),
      units(ref('total')).as('total'),
    ])
    .select(sql<string | null>`buyer ->> 'email'`.as('buyer'))
    .where('number', 'is not', null)
    .where(within(INVOICE_DAY, first, next))
    .orderBy('serial')
    .execute();
}

async function creditNotesOf(db: Db, first: Date, next: Date): Promise<Row[]> {
  return db
    .selectFrom('credit_note')
    .innerJoin('invoice', 'invoice.id', 'credit_note.invoice_id')
    .select(['credit_note.number', 'invoice.number as invoice', 'credit_note.currency', 'credit_note.reason'])
    .select(sql<string>`${NOTE_DAY}::text`.as('day'))
    .select(({ ref }) => [
      units(ref('credit_note.net')).as('net'),
      units(ref('credit_note.vat')).as('vat'),
      units(ref('credit_note.total')).as('total'),
    ])
    .where(within(NOTE_DAY, first, next))
    .orderBy('credit_note.serial')
    .execute();
}

const paymentsOf = (db: Db, first: Date, next: Date): Promise<Row[]> =>
  db
    .selectFrom('attempt')
    .innerJoin('invoice', 'invoice.id', 'attempt.invoice_id')
    .select(['attempt.id as payment', 'invoice.number as invoice', 'attempt.method'])
    .select(['attempt.provider_ref as providerRef', 'attempt.currency'])
    .select(({ ref }) => [
      dayOf(ref('invoice.paid_at')).as('day'),
      units(ref('attempt.received')).as('received'),
      units(ref('attempt.fee')).as('fee'),
    ])
    .where('attempt.status', '=', 'succeeded')
    .where('invoice.paid_at', '>=', first)
    .where('invoice.paid_at', '<', next)
    .orderBy('invoice.paid_at')
    .orderBy('attempt.id')
    .execute();

const refundsOf = (db: Db, first: Date, next: Date): Promise<Row[]> =>
  db
    .selectFrom('refund')
    .leftJoin('credit_note', 'credit_note.id', 'refund.credit_note_id')
    .select(['refund.id as refund', 'credit_note.number as creditNote', 'refund.status', 'refund.currency'])
    .select('refund.provider_ref as providerRef')
    .select(({ ref }) => [
      dayOf(ref('refund.created_at')).as('day'),
      units(ref('refund.amount')).as('amount'),
    ])
    .where('refund.created_at', '>=', first)
    .where('refund.created_at', '<', next)
    .orderBy('refund.created_at')
    .orderBy('refund.id')
    .execute();

/** The PDFs of the invoices, receipts and credit notes of the month. Each is read alone: a large shop has gigabytes of them. */
async function documentsOf(db: Db, first: Date, next: Date): Promise<FileOfZip[]> {
  const rows = await db
    .selectFrom('document')
    .innerJoin('invoice', 'invoice.id', 'document.invoice_id')
    .leftJoin('credit_note', 'credit_note.id', 'document.credit_note_id')
    .select(['document.id', 'document.kind'])
    .select(sql<string>`coalesce(credit_note.number, invoice.number)`.as('number'))
    .where('invoice.number', 'is not', null)
    .where(({ or, and, eb }) =>
      or([
        and([eb('document.credit_note_id', 'is', null), within(INVOICE_DAY, first, next)]),
        and([eb('document.credit_note_id', 'is not', null), within(NOTE_DAY, first, next)]),
      ]),
    )
    .orderBy('number')
    .orderBy('document.kind')
    .execute();
  return rows.map(({ id, kind, number }) => ({
    name: `${kind}/${number}.pdf`,
    async read() {
      const row = await db
        .selectFrom('document')
        .select('pdf')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return row.pdf;
    },
  }));
}
