import { type Expression, sql } from 'kysely';
import { csvOf } from '../../kernel/csv.ts';
import { type FileOfZip, zipOf } from '../../kernel/zip.ts';
import type { Db } from '../../ports/database.ts';
import { checkDatabase, readWholeTables } from './check.ts';

/** Why a month cannot be exported, as a sentence for staff. */
class NotExportable extends Error {
  override name = 'NotExportable';
}

type Row = Record<string, string | number | null>;

/** Amounts in whole units, as documents show them. */
const units = (minor: Expression<number | null>) =>
  sql<string>`(${minor}::numeric / 100)::numeric(20, 2)::text`;

/**
 * The documents of a month that is over, by the day of their number, and the money that the ledger booked in it, by the day in
 * Bangkok. The PDFs are read while `content` is.
 * @param month `2026-11`
 * @throws NotExportable also while the books do not balance
 */
export async function exportMonth(db: Db, now: Date, month: string) {
  const [first, next] = boundsOf(month);
  if (next > now) throw new NotExportable(`${month} is not over yet.`);
  if ((await checkDatabase(db, now)).length > 0)
    throw new NotExportable('The books do not balance. To see why, run:\nnpm run shop -- books --database');
  const tables = await readWholeTables(db, async tx => ({
    invoices: await invoicesOf(tx, first, next),
    replacements: await replacementsOf(tx, first, next),
    'credit-notes': await creditNotesOf(tx, first, next),
    payments: await paymentsOf(tx, first, next),
    refunds: await refundsOf(tx, first, next),
    disputes: await disputesOf(tx, first, next),
    fees: await feesOf(tx, first, next),
  }));
  const files = Object.entries(tables).map(([name, rows]) => ({
    name: `${name}.csv`,
    read: async () => csvOf(COLUMNS[name as keyof typeof tables], rows),
  }));
  const documents = [
    ...(await documentsOf(db, first, next)),
    ...(await replacementDocumentsOf(db, first, next)),
  ];
  return {
    name: `${month}.zip`,
    content: zipOf([...files, ...documents]),
    rows: Object.fromEntries(Object.entries(tables).map(([name, rows]) => [name, rows.length])),
    documents: documents.length,
  };
}

const COLUMNS = {
  invoices: ['number', 'day', 'purpose', 'status', 'currency', 'net', 'vat', 'total', 'buyer', 'paid'],
  replacements: ['number', 'day', 'replaces', 'invoice', 'currency', 'net', 'vat', 'total', 'company'],
  'credit-notes': ['number', 'day', 'invoice', 'currency', 'net', 'vat', 'total', 'reason'],
  payments: ['payment', 'day', 'invoice', 'method', 'providerRef', 'currency', 'received'],
  refunds: ['refund', 'day', 'creditNote', 'paidBy', 'providerRef', 'currency', 'amount'],
  disputes: ['dispute', 'day', 'provider', 'providerRef', 'currency', 'withheld'],
  fees: ['of', 'day', 'provider', 'currency', 'fee'],
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
/** The day of the number of a document in place of an invoice's. */
const REPLACEMENT_DAY = sql<string>`invoice_replacement.numbered_on`;
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

/** Documents in place of those of paid invoices. They have numbers of their own, and move no money. */
async function replacementsOf(db: Db, first: Date, next: Date): Promise<Row[]> {
  return db
    .selectFrom('invoice_replacement')
    .innerJoin('invoice', 'invoice.id', 'invoice_replacement.invoice_id')
    .select(['invoice_replacement.number', 'replaces', 'invoice.number as invoice', 'invoice.currency'])
    .select(sql<string>`${REPLACEMENT_DAY}::text`.as('day'))
    .select(({ ref }) => [
      units(ref('invoice.net')).as('net'),
      units(ref('invoice.vat')).as('vat'),
      units(ref('invoice.total')).as('total'),
    ])
    .select(sql<string | null>`company ->> 'name'`.as('company'))
    .where(within(REPLACEMENT_DAY, first, next))
    .orderBy('invoice_replacement.series')
    .orderBy('invoice_replacement.serial')
    .execute();
}

/** What arrived, one row a transfer, when it was booked: also what no invoice asked for. */
const paymentsOf = (db: Db, first: Date, next: Date): Promise<Row[]> =>
  db
    .selectFrom('receipt')
    .innerJoin('attempt', 'attempt.id', 'receipt.attempt_id')
    .innerJoin('invoice', 'invoice.id', 'attempt.invoice_id')
    .select(['attempt.id as payment', 'invoice.number as invoice', 'attempt.method'])
    .select(['attempt.provider_ref as providerRef', 'receipt.currency'])
    .select(({ ref }) => [
      dayOf(ref('receipt.received_at')).as('day'),
      units(ref('receipt.amount')).as('received'),
    ])
    .where('receipt.received_at', '>=', first)
    .where('receipt.received_at', '<', next)
    .orderBy('receipt.received_at')
    .orderBy('receipt.attempt_id')
    .orderBy('receipt.provider_ref')
    .execute();

/** Entries of the ledger of a month by the row that they book, whose ID is the second part of their transaction's name. */
const entriesOf = (first: Date, next: Date) => sql`(
  select txn, split_part(txn, ':', 1) as kind, split_part(txn, ':', 2) as of_id, account, provider, currency, amount, created_at
  from ledger_entry where created_at >= ${first} and created_at < ${next}) entry`;

/** What has reached payers; less than zero: what their banks returned. `bank` is the operator's own. */
async function refundsOf(db: Db, first: Date, next: Date): Promise<Row[]> {
  const amount = units(sql<number>`-entry.amount`);
  const { rows } = await sql<Row>`
    select coalesce(refund.id, by_hand.id) as refund, ${dayOf(sql<Date>`entry.created_at`)} as day,
      credit_note.number as "creditNote", coalesce(entry.provider, 'bank') as "paidBy",
      refund.provider_ref as "providerRef", entry.currency, ${amount} as amount
    from ${entriesOf(first, next)}
      left join out_of_band_refund by_hand on kind = 'by-hand' and by_hand.id = of_id
      left join refund on refund.id = case kind when 'by-hand' then by_hand.refund_id else of_id end
      left join credit_note on credit_note.id = refund.credit_note_id
    where (kind in ('refund', 'refund-back') and account = 'provider') or (kind = 'by-hand' and account = 'outOfBand')
    order by entry.created_at, txn`.execute(db);
  return rows;
}

/** What providers held back of payments for disputes; less than zero: what they gave back. */
async function disputesOf(db: Db, first: Date, next: Date): Promise<Row[]> {
  const withheld = units(sql<number>`-sum(entry.amount)`);
  const { rows } = await sql<Row>`
    select of_id as dispute, ${dayOf(sql<Date>`min(entry.created_at)`)} as day, entry.provider,
      dispute.provider_ref as "providerRef", entry.currency, ${withheld} as withheld
    from ${entriesOf(first, next)} left join dispute on dispute.id = of_id
    where kind = 'dispute' and account in ('provider', 'fees')
    group by txn, of_id, entry.provider, dispute.provider_ref, entry.currency
    having sum(entry.amount) <> 0 order by min(entry.created_at), txn`.execute(db);
  return rows;
}

/** What providers kept of payments and for disputes, when it was booked: often after the payment. */
async function feesOf(db: Db, first: Date, next: Date): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select of_id as of, ${dayOf(sql<Date>`created_at`)} as day, provider, currency, ${units(sql<number>`amount`)} as fee
    from ${entriesOf(first, next)} where account = 'fees' order by created_at, txn`.execute(db);
  return rows;
}

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

/** The PDFs of the replacements of the month, but of those that are rendered again, because their buyer was erased. */
async function replacementDocumentsOf(db: Db, first: Date, next: Date): Promise<FileOfZip[]> {
  const rows = await db
    .selectFrom('invoice_replacement')
    .select(['id', 'number'])
    .where('pdf', 'is not', null)
    .where(within(REPLACEMENT_DAY, first, next))
    .orderBy('number')
    .execute();
  return rows.map(({ id, number }) => ({
    name: `replacement/${number}.pdf`,
    async read() {
      const row = await db
        .selectFrom('invoice_replacement')
        .select('pdf')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return row.pdf!;
    },
  }));
}
