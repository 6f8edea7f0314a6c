import type { Db } from '../../ports/database.ts';
import { type LockedInvoice, lockInvoice, payInvoice, voidInvoice } from './invoices.ts';
import { recordPaid, recordReserved, recordReservedBack } from './ledger.ts';

/**
 * What of an order its customer's credit pays: what its invoice has set aside, else what there is now.
 * @param price gross, integer hundredths
 */
export async function creditFor(
  db: Db,
  { id, currency, price }: { id: string; currency: string; price: number },
  customerId: string,
): Promise<number> {
  const invoice = await db
    .selectFrom('invoice')
    .select(['credit_used', 'prepaid'])
    .where('order_id', '=', id)
    .executeTakeFirst();
  if (invoice && invoice.credit_used > 0) return invoice.credit_used;
  const credit = await db
    .selectFrom('account_credit')
    .select('amount')
    .where('customer_id', '=', customerId)
    .where('currency', '=', currency)
    .executeTakeFirst();
  return Math.min(credit?.amount ?? 0, price - (invoice?.prepaid ?? 0));
}

/**
 * Sets credit aside for an order's invoice, once; enough of it pays the invoice. Credit that another invoice took in the
 * same moment would become less than nothing: the database refuses, and the buyer presses again.
 * @returns whether the invoice is paid
 */
export async function spendCredit(tx: Db, now: Date, invoiceId: string, amount: number): Promise<boolean> {
  const invoice = await reserve(tx, now, await lockInvoice(tx, invoiceId), amount);
  if (invoice.due !== 0) return false;
  await payInvoice(tx, now, invoice);
  await recordPaid(tx, now, invoice, { provider: '', currency: invoice.currency, amount: 0 });
  return true;
}

async function reserve(tx: Db, now: Date, invoice: LockedInvoice, amount: number): Promise<LockedInvoice> {
  const { customerId, currency, due, creditUsed } = invoice;
  if (creditUsed > 0 || due === undefined || customerId === null) return invoice;
  await recordReserved(tx, now, invoice, { customerId, currency, amount });
  return setCredit(tx, invoice, amount);
}

/** An invoice is not to be paid: what it has set aside is its customer's again. */
async function free(tx: Db, now: Date, invoice: LockedInvoice): Promise<LockedInvoice> {
  const { customerId, currency, creditUsed: amount } = invoice;
  if (amount === 0 || customerId === null) return invoice;
  await recordReservedBack(tx, now, invoice, { customerId, currency, amount });
  return setCredit(tx, invoice, 0);
}

async function setCredit(tx: Db, invoice: LockedInvoice, amount: number): Promise<LockedInvoice> {
  const { version } = await tx
    .updateTable('invoice')
    .set({ credit_used: amount, version: invoice.version + 1 })
    .where('id', '=', invoice.id)
    .where('version', '=', invoice.version)
    .returning('version')
    .executeTakeFirstOrThrow();
  const due = invoice.due === undefined ? undefined : invoice.due + invoice.creditUsed - amount;
  return { ...invoice, version, creditUsed: amount, due };
}

/** The time of an order is over: its invoice still takes money that comes late, but holds no credit. */
export async function freeCredit(tx: Db, now: Date, orderId: string): Promise<void> {
  for (const { id } of await ofOrders(tx, [orderId])) {
    const invoice = await lockInvoice(tx, id);
    if (invoice.due !== undefined) await free(tx, now, invoice);
  }
}

/**
 * Nobody is to pay the invoices of these orders any more: money that comes after all is given back. Waits for whoever
 * settles one of them.
 * @returns the orders whose invoices were paid before
 */
export async function voidUnpaid(tx: Db, now: Date, orderIds: readonly string[]): Promise<string[]> {
  const paid: string[] = [];
  for (const { id, orderId } of await ofOrders(tx, orderIds)) {
    const invoice = await lockInvoice(tx, id);
    if (invoice.due !== undefined) await voidInvoice(tx, await free(tx, now, invoice));
    if (invoice.status === 'paid') paid.push(orderId!);
  }
  return paid;
}

const ofOrders = (tx: Db, orderIds: readonly string[]) =>
  tx
    .selectFrom('invoice')
    .select(['id', 'order_id as orderId'])
    .where('order_id', 'in', [...orderIds])
    .orderBy('id')
    .execute();
