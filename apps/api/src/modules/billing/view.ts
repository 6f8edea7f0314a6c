import { sql } from 'kysely';
import { compiled } from '../../compiled.ts';
import { type Page, type Part, pageOf } from '../../paging.ts';
import type { Db } from '../../ports/database.ts';

/** Invoices of a customer that were issued: a draft is nobody's business but its order's. */
const query = (db: Db, customerId: string) =>
  db
    .selectFrom('invoice')
    .innerJoin('invoice_line as line', join =>
      join.onRef('line.invoice_id', '=', 'invoice.id').on('line.position', '=', 1),
    )
    .leftJoin('shop_order', 'shop_order.id', 'invoice.order_id')
    .where('invoice.customer_id', '=', customerId)
    .where('invoice.issued_at', 'is not', null);

type Status = 'open' | 'paid' | 'void';

const PRODUCT_TYPES = {
  purchase: 'subscription',
  renewal: 'renewal',
  upgrade: 'upgrade',
  reactivation: 'reactivation',
} as const;

const columns = [
  'invoice.id',
  'invoice.number',
  'invoice.reference',
  'invoice.purpose',
  'invoice.status',
  'invoice.issued_at',
  'invoice.currency',
  'invoice.net',
  'invoice.vat',
  'invoice.total',
  'shop_order.payment_method',
  'line.text',
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

const summary = (row: Row) => ({
  id: row.id,
  // Until it is paid, an invoice goes by the reference that a payer quotes.
  number: row.number ?? row.reference,
  issuedAt: row.issued_at!.toISOString(),
  productType: PRODUCT_TYPES[row.purpose],
  planId: row.text.planId,
  ...(row.payment_method && { paymentMethod: row.payment_method }),
  total: money(row),
  // What is written off still asks its customer for nothing else than an open one would.
  status: row.status === 'paid' || row.status === 'void' ? row.status : ('open' as const),
});

type Values = Part & { customerId: string };
const listed = (db: Db, { customerId, size, skip }: Values) =>
  selected(db, customerId)
    .select(sql<number>`count(*) over ()::int`.as('all'))
    .orderBy('invoice.issued_at', 'desc')
    .orderBy('invoice.serial', 'desc')
    .limit(size)
    .offset(skip);
const readAll = compiled(listed);
const readThose = compiled((db, values: Values & { status: Status }) =>
  listed(db, values).where('invoice.status', '=', values.status),
);

/** Invoices of a customer, the newest first. */
export async function invoicesView(
  db: Db,
  customerId: string,
  { status, ...wanted }: Page & { status?: Status | undefined },
) {
  const read = (part: Part) =>
    status ? readThose(db, { customerId, status, ...part }) : readAll(db, { customerId, ...part });
  const { rows, total } = await pageOf(read, wanted);
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
  return {
    ...summary(row),
    lines: lines.map(({ text, ...amounts }) => ({
      text,
      amount: money({ ...amounts, currency: row.currency }),
    })),
    ...(period && { periodStart: period.starts_at.toISOString(), periodEnd: period.ends_at.toISOString() }),
  };
}
