import { sumOf } from '@fixpoint/domain/billing/invoice.ts';
import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import { newId, newPaymentReference } from '../../secrets.ts';
import {
  type InvoiceContent,
  insertLines,
  type LockedInvoice,
  lockInvoice,
  payInvoice,
  voidInvoice,
} from './invoices.ts';
import { recordPaid, recordReserved, recordReservedBack } from './ledger.ts';

/** What a renewal is for. `byHand`: its customer pays it himself, and needs it on paper. */
export type RenewalOf = {
  subscriptionId: string;
  customerId: string;
  period: { start: Date; end: Date };
  byHand: boolean;
};

/**
 * Opens the invoice of a subscription's next period: once, whoever else tries at the same time. What its customer has in
 * credit is set aside for it; enough of that pays it.
 * @returns the invoice, and whether it is paid; undefined when there is one already
 */
export async function openRenewal(
  tx: Db,
  now: Date,
  { subscriptionId, customerId, period, byHand }: RenewalOf,
  content: Omit<InvoiceContent, 'customerId'>,
): Promise<{ id: string; paid: boolean } | undefined> {
  const { lines, ...frozen } = content;
  const made = await tx
    .insertInto('invoice')
    .values({
      ...frozen,
      ...sumOf(lines),
      id: newId('inv'),
      customer_id: customerId,
      purpose: 'renewal',
      subscription_id: subscriptionId,
      period_start: period.start,
      period_end: period.end,
      status: 'open',
      reference: newPaymentReference(),
      created_at: now,
      issued_at: now,
      papers_at: byHand ? now : null,
    })
    .onConflict(conflict =>
      conflict
        .columns(['subscription_id', 'period_start'])
        .where('status', '!=', sql.lit('void'))
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  if (!made) return undefined;
  await insertLines(tx, made.id, customerId, lines);
  const invoice = await reserveCredit(tx, now, await lockInvoice(tx, made.id), customerId);
  if (invoice.due !== 0) return { id: made.id, paid: false };
  await payInvoice(tx, now, invoice);
  await recordPaid(tx, now, invoice, { provider: '', currency: invoice.currency, amount: 0 });
  return { id: made.id, paid: true };
}

/** Sets aside what there is of credit, as much as is asked for. */
async function reserveCredit(
  tx: Db,
  now: Date,
  invoice: LockedInvoice,
  customerId: string,
): Promise<LockedInvoice> {
  const { currency, due = 0 } = invoice;
  const credit = await tx
    .selectFrom('account_credit')
    .select('amount')
    .where('customer_id', '=', customerId)
    .where('currency', '=', currency)
    .executeTakeFirst();
  const amount = Math.min(credit?.amount ?? 0, due);
  if (amount === 0) return invoice;
  // Used by another invoice meanwhile, it would be less than nothing: the database refuses, and this is done again.
  await recordReserved(tx, now, invoice, { customerId, currency, amount });
  const { version } = await tx
    .updateTable('invoice')
    .set({ credit_used: amount, version: invoice.version + 1 })
    .where('id', '=', invoice.id)
    .where('version', '=', invoice.version)
    .returning('version')
    .executeTakeFirstOrThrow();
  return { ...invoice, version, creditUsed: amount, due: due - amount };
}

/** The open invoice of a subscription's next period; undefined where there is none. */
export const openRenewalOf = (db: Db, subscriptionId: string) =>
  db
    .selectFrom('invoice')
    .select(['id', 'issued_at', 'period_start', 'currency', 'total', 'credit_used', 'prepaid'])
    .where('subscription_id', '=', subscriptionId)
    .where('purpose', '=', 'renewal')
    .where('status', '=', 'open')
    .executeTakeFirst();

/**
 * The open invoice of a subscription that does not renew is not to be paid any more; its credit is its customer's again.
 * Money that comes after all goes back. The subscription must be locked.
 */
export async function voidRenewal(tx: Db, now: Date, subscriptionId: string): Promise<void> {
  const open = await openRenewalOf(tx, subscriptionId);
  if (!open) return;
  const invoice = await lockInvoice(tx, open.id);
  await voidInvoice(tx, invoice);
  const { customerId, currency, creditUsed: amount } = invoice;
  if (amount > 0) await recordReservedBack(tx, now, invoice, { customerId: customerId!, currency, amount });
}
