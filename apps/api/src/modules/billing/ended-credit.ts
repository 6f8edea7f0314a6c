import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

/**
 * Money behind credit that can go back by its payment. `isUnapplied`: an unapplied payment, otherwise what credit notes took
 * off an invoice. `amount`: of this source; `most`: of all sources of this payment. In hundredths.
 */
export type CreditSource = {
  invoiceId: string;
  attemptId: string;
  isUnapplied: boolean;
  provider: string;
  amount: number;
  most: number;
};

/**
 * The payments that a customer's credit came from, the newest first. Credit may be less: a part of it is used. A note counts
 * as far as money paid its invoice, because credit that is credited again is no money.
 */
export async function creditSources(db: Db, customerId: string, currency: string): Promise<CreditSource[]> {
  const { rows } = await sql<CreditSource>`
    select invoice.id as "invoiceId", attempt.id as "attemptId", is_unapplied as "isUnapplied", provider,
      source.amount, case when is_unapplied then least(unapplied, source.amount) else received - unapplied - (
        select coalesce(sum(total), 0) from credit_note
        where invoice_id = invoice.id and not prorated and not credited) end::bigint as most
    from (
      select false as is_unapplied, note.invoice_id, note.total as amount, note.issued_at as at
        from credit_note note join invoice sold on sold.id = note.invoice_id
        where sold.customer_id = ${customerId} and note.credited and pays_invoice_id is null and dispute_id is null
      union all
      select true, id, credited, created_at from invoice where customer_id = ${customerId} and credited > 0
    ) source
    join invoice on invoice.id = source.invoice_id
    join attempt on attempt.invoice_id = invoice.id and attempt.status = 'succeeded'
      and case when is_unapplied then unapplied > 0 else unapplied < received end
    join gateway_customer on gateway_customer.id = attempt.gateway_customer_id
    where invoice.currency = ${currency}
      -- A payment has one such refund at most.
      and not exists (select from refund where refund.attempt_id = attempt.id and refund.reason = 'unapplied')
    order by at desc, attempt.id desc`.execute(db);
  return rows;
}

/** The credit of a customer in every currency in which there is some, in hundredths. */
export const allCredit = (db: Db, customerId: string) =>
  db
    .selectFrom('account_credit')
    .select(['currency', 'amount'])
    .where('customer_id', '=', customerId)
    .where('amount', '>', 0)
    .orderBy('currency')
    .execute();

/** Goodwill that a customer got in a currency and that staff has not taken back, in hundredths. */
export async function goodwillOf(db: Db, customerId: string, currency: string): Promise<number> {
  const { amount } = await db
    .selectFrom('goodwill')
    .select(
      sql<number>`(coalesce(sum(amount), 0) - (
        select coalesce(sum(amount), 0) from ledger_entry
        where customer_id = ${customerId} and currency = ${currency} and account = 'credit'
          and txn like 'goodwill-back:%'))::bigint`.as('amount'),
    )
    .where('customer_id', '=', customerId)
    .where('currency', '=', currency)
    .executeTakeFirstOrThrow();
  return amount;
}

/** What became of the credit of a customer whose account has ended, by currency. `left`: staff settle it. In hundredths. */
export async function endedCredit(db: Db, customerId: string) {
  const { rows } = await sql<{ currency: string; refunded: number; goodwill: number; left: number }>`
    select currency,
      coalesce(sum(amount) filter (where txn like 'credit-ended:%' or txn like 'notes-ended:%'), 0)::bigint as refunded,
      coalesce(sum(amount) filter (where txn like 'goodwill-ended:%'), 0)::bigint as goodwill,
      -sum(amount)::bigint as left
    from ledger_entry where account = 'credit' and customer_id = ${customerId}
    group by currency order by currency`.execute(db);
  return rows;
}
