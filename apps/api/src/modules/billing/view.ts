import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

/** Finalised invoices of a customer: a draft has no number yet and is nobody's business but the order's. */
const query = (db: Db, customerId: string) =>
  db
    .selectFrom('invoice')
    .innerJoin('shop_order', 'shop_order.id', 'invoice.order_id')
    .innerJoin('product', 'product.id', 'shop_order.product_id')
    .where('invoice.customer_id', '=', customerId)
    .where('invoice.number', 'is not', null);

type Status = 'open' | 'paid' | 'void';
type Page = { page: number; size: number; status?: Status | undefined };

const columns = [
  'invoice.id',
  'invoice.number',
  'invoice.status',
  'invoice.issued_at',
  'invoice.created_at',
  'invoice.currency',
  'invoice.net',
  'invoice.vat',
  'invoice.total',
  'shop_order.payment_method',
  'product.plan_id',
] as const;

const summary = (row: {
  id: string;
  number: string | null;
  status: 'draft' | 'paid' | 'void';
  issued_at: Date | null;
  created_at: Date;
  currency: string;
  net: number;
  vat: number;
  total: number;
  payment_method: string | null;
  plan_id: string;
}) => ({
  id: row.id,
  number: row.number!,
  issuedAt: (row.issued_at ?? row.created_at).toISOString(),
  // Every order so far begins a subscription.
  productType: 'subscription' as const,
  planId: row.plan_id,
  ...(row.payment_method && { paymentMethod: row.payment_method as 'card' }),
  total: money(row),
  status: row.status === 'draft' ? ('open' as const) : row.status,
});

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

/** Invoices of a customer, the newest first. */
export async function invoicesView(db: Db, customerId: string, { page, size, status }: Page) {
  // An issued invoice is `open` on the wire while it is unpaid; the table knows none such yet.
  const wanted = status === 'open' ? 'draft' : status;
  const filtered = wanted
    ? query(db, customerId).where('invoice.status', '=', wanted)
    : query(db, customerId);
  const rows = await filtered
    .select(columns)
    .orderBy('invoice.issued_at', 'desc')
    .orderBy('invoice.serial', 'desc')
    .limit(size)
    .offset((page - 1) * size)
    .execute();
  const { total } = await filtered.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow();
  return { items: rows.map(summary), total };
}

/** One invoice with its lines and the period that it paid; undefined for another customer's or none. */
export async function invoiceView(db: Db, customerId: string, id: string) {
  const row = await query(db, customerId).select(columns).where('invoice.id', '=', id).executeTakeFirst();
  if (!row) return undefined;
  const lines = await db
    .selectFrom('invoice_line')
    .select(['product_id', 'net', 'vat', 'total'])
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
    lines: lines.map(line => ({
      description: line.product_id,
      amount: money({ ...line, currency: row.currency }),
    })),
    ...(period && { periodStart: period.starts_at.toISOString(), periodEnd: period.ends_at.toISOString() }),
  };
}
