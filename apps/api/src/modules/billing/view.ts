import { byCreditAlone, settlementOf } from '@fixpoint/domain/billing/invoice.ts';
import { sql } from 'kysely';
import { contains, type Page, type Part, pageOf } from '../../database/paging.ts';
import { prepareQuery } from '../../database/prepared-queries.ts';
import type { Db } from '../../ports/database.ts';
import { documentsOf } from './documents.ts';
import { invoiceDay, inYear } from './invoice-day.ts';
import { coveredOf } from './invoices.ts';
import { payingAttempt, paysItsInvoice } from './paying-attempt.ts';

/** Issued invoices of a customer. A draft is shown by its order only. */
const query = (db: Db, customerId: string) =>
  db
    .selectFrom('invoice')
    .innerJoin('invoice_line as line', join =>
      join.onRef('line.invoice_id', '=', 'invoice.id').on('line.position', '=', 1),
    )
    .leftJoin('shop_order', 'shop_order.id', 'invoice.order_id')
    .leftJoin('document', join =>
      join
        .onRef('document.invoice_id', '=', 'invoice.id')
        .on('document.kind', '=', sql`case invoice.status when 'paid' then 'receipt' else 'invoice' end`),
    )
    // At most one attempt pays an invoice, perhaps by another method than the order named.
    .leftJoin('attempt', join => join.onRef('attempt.invoice_id', '=', 'invoice.id').on(paysItsInvoice))
    .leftJoin('subscription', 'subscription.id', 'invoice.subscription_id')
    .leftJoinLateral(
      eb =>
        eb
          .selectFrom('static_ip')
          .select(sql<string>`host(address)`.as('present'))
          .whereRef('static_ip.subscription_id', '=', 'invoice.subscription_id')
          .limit(1)
          .as('static_ip'),
      join => join.onTrue(),
    )
    .where('invoice.customer_id', '=', customerId)
    .where('invoice.issued_at', 'is not', null);

type Status = 'open' | 'paid' | 'void';
type Wanted = {
  status?: Status | undefined;
  productType?: (typeof PRODUCT_TYPES)[keyof typeof PRODUCT_TYPES] | undefined;
  subscriptionId?: string | undefined;
  year?: number | undefined;
  search?: string | undefined;
  sort?: 'newest' | 'oldest' | 'highest' | 'lowest' | undefined;
};

/** How calls name the purpose of an invoice. */
export const PRODUCT_TYPES = {
  purchase: 'subscription',
  renewal: 'renewal',
  upgrade: 'upgrade',
  reactivation: 'reactivation',
} as const;

const columns = [
  'invoice.id',
  'invoice.subscription_id',
  'invoice.number',
  'invoice.reference',
  'invoice.purpose',
  'invoice.status',
  'invoice.issued_at',
  'invoice.paid_at',
  'invoice.serial',
  'invoice.currency',
  'invoice.net',
  'invoice.vat',
  'invoice.total',
  'invoice.credit_used',
  'invoice.prepaid',
  'invoice.prorated',
  'invoice.carried_out',
  'invoice.carried_in',
  'shop_order.payment_method as orderedWith',
  'attempt.method as paidBy',
  'line.text',
  'subscription.label',
  'static_ip.present',
  'document.id as documentId',
] as const;

const selected = (db: Db, customerId: string) => query(db, customerId).select(columns);
type Row = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

const money = ({
  currency,
  net,
  vat,
  total,
}: {
  currency: string;
  net: number;
  vat: number;
  total: number;
}) => ({
  currency,
  price: total,
  net,
  vat,
});

const settledOf = (row: Row) => settlementOf(row.total, coveredOf(row), row.status === 'paid');

/** The method that paid it; while it is unpaid, the one that the buyer chose. */
function methodOf(row: Row) {
  const { status, paidBy, orderedWith } = row;
  const otherwise = status !== 'paid' ? orderedWith : byCreditAlone(settledOf(row)) && ('credit' as const);
  const paymentMethod = paidBy ?? otherwise;
  return paymentMethod && { paymentMethod };
}

/** The subscription under its present label; the address is the one of the invoice where it has none any more. */
function subscriptionOf({ subscription_id: id, label, present, text }: Row) {
  const address = present ?? text.address;
  return id && { subscription: { id, ...(label && { label }), ...(address && { address }) } };
}

const summary = (row: Row) => ({
  id: row.id,
  // An unpaid invoice has no number; payers quote its reference.
  number: row.number ?? row.reference,
  issuedAt: row.issued_at!.toISOString(),
  ...(row.paid_at && { paidAt: row.paid_at.toISOString() }),
  productType: PRODUCT_TYPES[row.purpose],
  planId: row.text.planId,
  ...methodOf(row),
  ...subscriptionOf(row),
  total: money(row),
  ...(row.documentId && { documentId: row.documentId }),
  status: row.status === 'paid' || row.status === 'void' ? row.status : ('open' as const),
});

type Values = Part & { customerId: string };
const listed = (db: Db, { customerId, size, skip }: Values) =>
  selected(db, customerId).select(sql<number>`count(*) over ()::int`.as('all')).limit(size).offset(skip);
const newest = (db: Db, values: Values) =>
  listed(db, values)
    .orderBy(invoiceDay, 'desc')
    .orderBy('invoice.serial', 'desc')
    .orderBy('invoice.id', 'desc');
const readNewest = prepareQuery(newest);

/** Whether a number, a reference, or the label or an address of its subscription matches. */
const isFound = (text: string) =>
  sql<boolean>`(${contains(sql`coalesce(invoice.number, invoice.reference)`, text)}
    or ${contains(sql`invoice.reference`, text)} or ${contains(sql`subscription.label`, text)}
    or ${contains(sql`coalesce(static_ip.present, line.text ->> 'address')`, text)})`;

/** A filtered or sorted list. It is sorted by ID last, so that pages never overlap. */
function chosen(db: Db, values: Values, wanted: Wanted) {
  const { status, productType, subscriptionId, year, search, sort } = wanted;
  const purpose = Object.entries(PRODUCT_TYPES).find(([, name]) => name === productType)?.[0];
  const direction = sort === 'oldest' || sort === 'lowest' ? 'asc' : 'desc';
  return listed(db, values)
    .$if(status !== undefined, qb => qb.where('invoice.status', '=', status!))
    .$if(purpose !== undefined, qb => qb.where('invoice.purpose', '=', purpose as Row['purpose']))
    .$if(subscriptionId !== undefined, qb => qb.where('invoice.subscription_id', '=', subscriptionId!))
    .$if(year !== undefined, qb => qb.where(inYear(year!)))
    .$if(search !== undefined, qb => qb.where(isFound(search!)))
    .$if(sort === 'highest' || sort === 'lowest', qb => qb.orderBy('invoice.total', direction))
    .orderBy(invoiceDay, direction)
    .orderBy('invoice.serial', direction)
    .orderBy('invoice.id', direction);
}

/** Invoices of a customer, the newest first by default. */
export async function invoicesView(
  db: Db,
  customerId: string,
  { page, size, search, sort = 'newest', ...wanted }: Page & Wanted,
) {
  const filters = { ...wanted, search: search || undefined };
  const plain = sort === 'newest' && Object.values(filters).every(value => value === undefined);
  const read = (part: Part) =>
    plain
      ? readNewest(db, { customerId, ...part })
      : chosen(db, { customerId, ...part }, { ...filters, sort }).execute();
  const { rows, total } = await pageOf(read, { page, size });
  return { items: rows.map(summary), total };
}

/** One invoice with its lines and the period that it paid; undefined for another customer's or none. */
export async function invoiceView(db: Db, customerId: string, id: string) {
  const row = await selected(db, customerId).where('invoice.id', '=', id).executeTakeFirst();
  if (!row) return undefined;
  const lines = await db
    .selectFrom('invoice_line')
    .select(['text', 'net', 'vat', 'total'])
    .where('invoice_id', '=', id)
    .orderBy('position')
    .execute();
  const period = await db
    .selectFrom('subscription_period')
    .select(['starts_at', 'ends_at'])
    .where('invoice_id', '=', id)
    .executeTakeFirst();
  const attempt = await payingAttempt(db, id).select('paid_with').executeTakeFirst();
  const notes = await db
    .selectFrom('credit_note')
    .select(['number', 'issued_at', 'reason', 'net', 'vat', 'total'])
    .where('invoice_id', '=', id)
    .orderBy('issued_at')
    .execute();
  return {
    ...summary(row),
    ...(row.status !== 'void' && { settled: settledOf(row) }),
    documents: await documentsOf(db, id),
    creditNotes: notes.map(({ number, issued_at, reason, ...amounts }) => ({
      number,
      reason,
      issuedAt: issued_at.toISOString(),
      total: money({ ...amounts, currency: row.currency }),
    })),
    ...(attempt?.paid_with && { card: attempt.paid_with }),
    lines: lines.map(({ text, ...amounts }) => ({
      text,
      amount: money({ ...amounts, currency: row.currency }),
    })),
    ...(row.subscription_id && { subscriptionId: row.subscription_id }),
    ...(period && { periodStart: period.starts_at.toISOString(), periodEnd: period.ends_at.toISOString() }),
  };
}

/** Years with invoices, newest first, and how many each has. */
export const yearsView = (db: Db, customerId: string) =>
  db
    .selectFrom('invoice')
    .select(sql<number>`extract(year from ${invoiceDay})::int`.as('year'))
    .select(sql<number>`count(*)::int`.as('invoices'))
    .where('invoice.customer_id', '=', customerId)
    .where('invoice.issued_at', 'is not', null)
    .groupBy('year')
    .orderBy('year', 'desc')
    .execute();
