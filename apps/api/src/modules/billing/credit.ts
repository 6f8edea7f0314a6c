import { paidByCredit } from '@fixpoint/contract/minimum-charge.ts';
import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import { type LockedInvoice, lockInvoice, payInvoice } from './invoices.ts';
import { recordPaid, recordReserved, recordReservedBack } from './ledger.ts';
import { unappliedAt } from './paying-attempt.ts';

/** What a customer can use now, integer hundredths; what is set aside already is not in it. */
export async function availableCredit(db: Db, customerId: string, currency: string): Promise<number> {
  const credit = await db
    .selectFrom('account_credit')
    .select('amount')
    .where('customer_id', '=', customerId)
    .where('currency', '=', currency)
    .executeTakeFirst();
  return credit?.amount ?? 0;
}

/** Whether a customer was ever given credit that is not what he paid beyond one order. */
export async function hasCreditBesides(db: Db, orderId: string, customerId: string): Promise<boolean> {
  const given = await db
    .selectFrom('ledger_entry')
    .leftJoin('invoice', join =>
      join
        .on('invoice.order_id', '=', orderId)
        .on(sql<boolean>`starts_with(ledger_entry.txn, 'kept:' || invoice.id || ':')`),
    )
    .select('ledger_entry.txn')
    .where('ledger_entry.customer_id', '=', customerId)
    .where('ledger_entry.amount', '<', 0)
    .where('invoice.id', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return given !== undefined;
}

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
  const due = price - (invoice?.prepaid ?? 0);
  return paidByCredit(currency, due, await availableCredit(db, customerId, currency));
}

/**
 * Sets its customer's credit aside for an invoice, once; enough of it pays the invoice. Credit that another invoice took in
 * the same moment would become less than nothing: the database refuses, and whoever asked tries again.
 * @param amount as its customer was shown it; without it as much as can pay
 * @returns whether the invoice is paid
 */
export async function applyCredit(tx: Db, now: Date, invoiceId: string, amount?: number): Promise<boolean> {
  const invoice = await reserveCredit(tx, now, await lockInvoice(tx, invoiceId), amount);
  if (invoice.due !== 0) return false;
  await payInvoice(tx, now, invoice);
  const { currency, prepaid } = invoice;
  const prepaidAt = prepaid > 0 ? await unappliedAt(tx, invoice.id) : undefined;
  await recordPaid(tx, now, invoice, { provider: '', currency, amount: 0 }, prepaidAt);
  return true;
}

async function reserveCredit(
  tx: Db,
  now: Date,
  invoice: LockedInvoice,
  shown: number | undefined,
): Promise<LockedInvoice> {
  const { customerId, currency, due, creditUsed } = invoice;
  if (creditUsed > 0 || due === undefined || customerId === null) return invoice;
  const amount = shown ?? paidByCredit(currency, due, await availableCredit(tx, customerId, currency));
  if (amount === 0) return invoice;
  await recordReserved(tx, now, invoice, { customerId, currency, amount });
  return setCredit(tx, invoice, amount);
}

/** What an unpaid invoice has set aside is its customer's again; it still takes money that comes late. */
export async function releaseCredit(tx: Db, now: Date, invoice: LockedInvoice): Promise<LockedInvoice> {
  const { customerId, currency, due, creditUsed: amount } = invoice;
  if (amount === 0 || due === undefined || customerId === null) return invoice;
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
