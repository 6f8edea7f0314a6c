import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

/** SQL condition: an attempt pays its invoice, and not only by an unapplied payment. */
export const paysItsInvoice: RawBuilder<boolean> = sql<boolean>`
  attempt.status = 'succeeded' and attempt.unapplied < attempt.received`;

/**
 * The gateway of an invoice's unapplied payment that is not refunded. Only one payment method keeps those, so there is at most
 * one gateway. Undefined: there is no such payment.
 */
export async function unappliedAt(db: Db, invoiceId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('attempt')
    .innerJoin('gateway_customer', 'gateway_customer.id', 'attempt.gateway_customer_id')
    .select('gateway_customer.provider')
    .where('attempt.invoice_id', '=', invoiceId)
    .where('attempt.status', '=', 'succeeded')
    .where('attempt.unapplied', '>', 0)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('refund')
            .select('id')
            .whereRef('refund.attempt_id', '=', 'attempt.id')
            .where('reason', '=', 'unapplied'),
        ),
      ),
    )
    .limit(1)
    .executeTakeFirst();
  return row?.provider;
}

/** The attempt that pays an invoice. None where it is not paid, or by credit alone. */
export const payingAttempt = (db: Db, invoiceId: string) =>
  db.selectFrom('attempt').where('attempt.invoice_id', '=', invoiceId).where(paysItsInvoice);

/**
 * SQL condition: the customer has paid by an attempt and the gateway has not settled it, so the shop cannot close it. Coins may
 * also be on their way to an address that is offered no more. After 14 days without a change they are not waited for: the
 * network drops a transaction that no block has included.
 */
export const isMoneyOnItsWay = (now: Date): RawBuilder<boolean> => sql<boolean>`
  (attempt.status = 'processing' or attempt.seen > attempt.received)
  and attempt.updated_at > ${now}::timestamptz - interval '14 days'`;

/** The same, and for the whole amount: customers who sent a part of a renewal are asked for the rest. */
export const isPaymentOnItsWay = (now: Date): RawBuilder<boolean> => sql<boolean>`
  ${isMoneyOnItsWay(now)} and (attempt.seen = 0 or attempt.seen >= attempt.amount)`;

/**
 * The last hard decline of an invoice's automatic charges to the current default method. Another charge would be declined
 * too, unless its owner has saved the method again since, because the bank has checked it then.
 * @param invoiceId the column of the surrounding query
 */
export const hardDeclineOf = (db: Db, invoiceId: Expression<string | null>) =>
  db
    .selectFrom('attempt')
    .innerJoin('saved_method as saved', 'saved.id', 'attempt.saved_method_id')
    .where('attempt.invoice_id', '=', invoiceId)
    .where('attempt.unattended', '=', true)
    .where('attempt.hard', '=', true)
    .where('saved.is_default', '=', true)
    .where(sql<boolean>`attempt.created_at >= coalesce(saved.consented_at, '-infinity')`)
    .select('attempt.asks_owner')
    .orderBy('attempt.attempt_no', 'desc')
    .limit(1);

/**
 * The invoices that have paid for a subscription: its own, and recursively those of the subscriptions that it replaced, whose
 * unused days paid for it.
 * @param subscriptionId the column of the surrounding query, or its value
 */
export const invoicesPaying = (subscriptionId: Expression<string>) => sql<{ id: string }>`
  with recursive paying as (
    select id from invoice where subscription_id = ${subscriptionId}
    union select note.invoice_id from paying join credit_note note on note.pays_invoice_id = paying.id
  )
  select id from paying`;

/**
 * Subquery: the payment method that last paid for a subscription, also by unused days of one that it replaced; null: credit
 * alone, or nothing.
 * @param subscriptionId the column of the surrounding query, or its value
 */
export const lastPaidBy = (db: Db, subscriptionId: Expression<string>) =>
  db
    .selectFrom('attempt')
    .innerJoin('invoice as paid', 'paid.id', 'attempt.invoice_id')
    .where('paid.id', '=', sql<string>`any(array(${invoicesPaying(subscriptionId)}))`)
    .where('paid.status', '=', 'paid')
    .where(paysItsInvoice)
    .select('attempt.method')
    .orderBy('paid.paid_at', 'desc')
    .limit(1);
