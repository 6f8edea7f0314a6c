import type { Db } from '../../ports/database.ts';
import { releaseCredit } from './credit.ts';
import { type LockedInvoice, lockInvoice, transitionInvoice } from './invoices.ts';

/** Voids a locked invoice and releases its credit. Money that still comes is refunded. */
export async function voidInvoice(tx: Db, now: Date, invoice: LockedInvoice): Promise<void> {
  await transitionInvoice(tx, await releaseCredit(tx, now, invoice), 'void');
}

/**
 * Voids the unpaid invoices of these orders. Waits for concurrent settlements.
 * @returns the orders whose invoices are paid
 */
export async function voidUnpaid(tx: Db, now: Date, orderIds: readonly string[]): Promise<string[]> {
  const invoices = await tx
    .selectFrom('invoice')
    .select(['id', 'order_id as orderId'])
    .where('order_id', 'in', [...orderIds])
    .orderBy('id')
    .execute();
  const paid: string[] = [];
  for (const { id, orderId } of invoices) {
    const invoice = await lockInvoice(tx, id);
    if (invoice.due !== undefined) await voidInvoice(tx, now, invoice);
    if (invoice.status === 'paid') paid.push(orderId!);
  }
  return paid;
}
