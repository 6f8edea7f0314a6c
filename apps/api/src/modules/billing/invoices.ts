import { bangkokDate } from '@fixpoint/domain/kernel/bangkok.ts';
import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import { newId } from '../../secrets.ts';
import { recordSale } from './ledger.ts';

export type InvoiceRef = {
  id: string;
  orderId: string;
  status: 'draft' | 'paid' | 'void';
  currency: string;
  total: number;
};

/** The invoice of an order, made at its first submission: one for each order, without a number. */
export async function draftInvoice(
  tx: Db,
  now: Date,
  order: {
    id: string;
    product_id: string;
    customer_id: string | null;
    currency: string;
    price: number;
    net: number;
    vat: number;
    vat_rate_bp: number;
  },
): Promise<string> {
  const existing = await tx
    .selectFrom('invoice')
    .select('id')
    .where('order_id', '=', order.id)
    .executeTakeFirst();
  if (existing) return existing.id;
  const id = newId('inv');
  const amounts = { net: order.net, vat: order.vat, total: order.price };
  await tx
    .insertInto('invoice')
    .values({
      id,
      number: null,
      series: null,
      serial: null,
      status: 'draft',
      order_id: order.id,
      customer_id: order.customer_id,
      currency: order.currency,
      ...amounts,
      vat_rate_bp: order.vat_rate_bp,
      created_at: now,
    })
    .execute();
  await tx
    .insertInto('invoice_line')
    .values({ invoice_id: id, position: 1, product_id: order.product_id, ...amounts })
    .execute();
  return id;
}

/** Locks an invoice: whoever settles it waits here for the others. */
export async function lockInvoice(tx: Db, id: string): Promise<InvoiceRef> {
  const row = await tx
    .selectFrom('invoice')
    .select(['id', 'order_id', 'status', 'currency', 'total'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return { id: row.id, orderId: row.order_id, status: row.status, currency: row.currency, total: row.total };
}

/** Waits for whoever settles one of these orders' invoices; those that are unpaid then stay so until the transaction ends. */
export async function lockUnpaid(tx: Db, orderIds: string[]): Promise<void> {
  await tx
    .selectFrom('invoice')
    .select('id')
    .where('order_id', 'in', orderIds)
    .where('status', '=', 'draft')
    .forUpdate()
    .execute();
}

/** Nobody is to pay these any more: money that comes after all is given back. */
export async function voidUnpaid(tx: Db, orderIds: string[]): Promise<void> {
  await tx
    .updateTable('invoice')
    .set({ status: 'void' })
    .where('order_id', 'in', orderIds)
    .where('status', '=', 'draft')
    .execute();
}

/**
 * Finalises an invoice as paid: its number is taken from the counter of its year in the same transaction, so a
 * rolled-back payment leaves no gap (B19).
 */
export async function payInvoice(tx: Db, now: Date, invoiceId: string, attemptId: string): Promise<void> {
  const series = String(bangkokDate(now).year);
  const { last } = await tx
    .insertInto('number_series')
    .values({ series, last: 1 })
    .onConflict(conflict =>
      conflict.column('series').doUpdateSet({ last: sql<number>`number_series.last + 1` }),
    )
    .returning('last')
    .executeTakeFirstOrThrow();
  const invoice = await tx
    .updateTable('invoice')
    .set({
      status: 'paid',
      series,
      serial: last,
      number: `${series}-${String(last).padStart(6, '0')}`,
      issued_at: now,
    })
    .where('id', '=', invoiceId)
    .where('status', '=', 'draft')
    .returning(['currency', 'net', 'vat'])
    .executeTakeFirstOrThrow();
  await recordSale(tx, now, { attemptId, ...invoice });
}
