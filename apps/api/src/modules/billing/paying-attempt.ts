import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

/** A condition on an attempt: it counts for its invoice; what came beyond that counts for nothing. */
export const paysItsInvoice: RawBuilder<boolean> = sql<boolean>`
  attempt.status = 'succeeded' and attempt.unapplied < attempt.received`;

/**
 * The provider by which came what is beyond an invoice and does not go back: one way to pay keeps that, so it is one.
 * Undefined: nothing is.
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

/** The payment that counts for an invoice. None: it is not paid, or by credit alone. */
export const payingAttempt = (db: Db, invoiceId: string) =>
  db.selectFrom('attempt').where('attempt.invoice_id', '=', invoiceId).where(paysItsInvoice);

/**
 * A condition on an attempt: its customer has paid, and its provider has not decided on that yet: nothing of ours can close
 * it. Coins may also be on their way to an address that is offered no more. Without news for 14 days they are not waited
 * for: by then what no block has taken is forgotten by its network.
 */
export const isMoneyOnItsWay = (now: Date): RawBuilder<boolean> => sql<boolean>`
  (attempt.status = 'processing' or attempt.seen > attempt.received)
  and attempt.updated_at > ${now}::timestamptz - interval '14 days'`;

/** The same of all that it asks for: who has sent a part of a renewal is asked for the rest. */
export const isPaymentOnItsWay = (now: Date): RawBuilder<boolean> => sql<boolean>`
  ${isMoneyOnItsWay(now)} and (attempt.seen = 0 or attempt.seen >= attempt.amount)`;

/**
 * The charge of an invoice that was refused for good, where it was what still pays by default: it would be refused again,
 * unless its owner has set it up again since, as his bank has looked at it then.
 * @param invoiceId how the query names it that this is a part of
 */
export const refusedForGood = (db: Db, invoiceId: Expression<string | null>) =>
  db
    .selectFrom('attempt')
    .innerJoin('saved_method as kept', 'kept.id', 'attempt.saved_method_id')
    .where('attempt.invoice_id', '=', invoiceId)
    .where('attempt.unattended', '=', true)
    .where('attempt.hard', '=', true)
    .where('kept.is_default', '=', true)
    .where(sql<boolean>`attempt.created_at >= coalesce(kept.consented_at, '-infinity')`)
    .select('attempt.asks_owner')
    .orderBy('attempt.attempt_no', 'desc')
    .limit(1);

/**
 * The invoices that have paid for a subscription: its own, and those of what it took the place of, whose unused days have
 * paid for it, on and on.
 * @param subscriptionId how the query names it that this is a part of, or its value
 */
export const invoicesPaying = (subscriptionId: Expression<string>) => sql<{ id: string }>`
  with recursive paying as (
    select id from invoice where subscription_id = ${subscriptionId}
    union select note.invoice_id from paying join credit_note note on note.pays_invoice_id = paying.id
  )
  select id from paying`;

/**
 * By which method was paid what last paid for a subscription, for a column of another query; null: by credit alone, or
 * nothing was. Days that moved with it were paid as they were where they came from.
 * @param subscriptionId how that query names it, or its value
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
