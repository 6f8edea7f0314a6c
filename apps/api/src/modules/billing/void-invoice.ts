import type { Db } from '../../ports/database.ts';
import { releaseCredit } from './credit.ts';
import { type LockedInvoice, lockInvoice, moveInvoice } from './invoices.ts';

/** Nobody is to pay an invoice any more: its credit is its customer's again, and money that comes after all goes back. */
export async function voidInvoice(tx: Db, now: Date, invoice: LockedInvoice): Promise<void> {
  await moveInvoice(tx, await releaseCredit(tx, now, invoice), 'void');
}

/**
 * Voids what is unpaid of these orders' invoices. Waits for whoever settles one of them.
 * @returns the orders whose invoices were paid before
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
