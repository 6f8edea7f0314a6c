import { paidByCredit } from '@fixpoint/contract/minimum-charge.ts';
import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import { type LockedInvoice, lockInvoice, payInvoice } from './invoices.ts';
import { recordPaid, recordReleased, recordReserved } from './ledger.ts';
import { unappliedAt } from './paying-attempt.ts';
import { applyVatOfDay } from './vat-of-day.ts';

/** Credit that a customer can use now, in hundredths, without what invoices have reserved. */
export async function availableCredit(db: Db, customerId: string, currency: string): Promise<number> {
  const credit = await db
    .selectFrom('account_credit')
    .select('amount')
    .where('customer_id', '=', customerId)
    .where('currency', '=', currency)
    .executeTakeFirst();
  return credit?.amount ?? 0;
}

/** Whether a customer ever got credit other than the unapplied payment of one order. */
export async function hasOtherCredit(db: Db, orderId: string, customerId: string): Promise<boolean> {
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
 * Part of an order that credit pays, in hundredths: what its invoice has reserved, or else what is available now.
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
 * Reserves the customer's credit for an invoice, once; enough of it pays the invoice. When two invoices reserve the same
 * credit at once, the database refuses the second, because credit cannot become negative; the caller must try again.
 * @param amount as the customer was shown it; undefined: as much as can pay
 * @returns whether the invoice is paid
 */
export async function applyCredit(tx: Db, now: Date, invoiceId: string, amount?: number): Promise<boolean> {
  const reserved = await reserveCredit(tx, now, await lockInvoice(tx, invoiceId), amount);
  if (reserved.due !== 0) return false;
  const invoice = await applyVatOfDay(tx, now, reserved);
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
  const { customerId, currency, due, creditUsed, carriedIn } = invoice;
  // Credit pays for what an invoice sells: one that collects a rest of an earlier one is paid by money.
  if (creditUsed > 0 || carriedIn > 0 || due === undefined || customerId === null) return invoice;
  const amount = shown ?? paidByCredit(currency, due, await availableCredit(tx, customerId, currency));
  if (amount === 0) return invoice;
  await recordReserved(tx, now, invoice, { customerId, currency, amount });
  return setCredit(tx, invoice, amount);
}

/** Releases the credit that an unpaid invoice has reserved. The invoice still takes late money. */
export async function releaseCredit(tx: Db, now: Date, invoice: LockedInvoice): Promise<LockedInvoice> {
  const { customerId, currency, due, creditUsed: amount } = invoice;
  if (amount === 0 || due === undefined || customerId === null) return invoice;
  await recordReleased(tx, now, invoice, { customerId, currency, amount });
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
