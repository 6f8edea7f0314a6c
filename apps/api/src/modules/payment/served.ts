import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

/**
 * The subscriptions that an invoice has paid for: its own, and those that took the place of one and were paid with its
 * unused days.
 */
export async function servedBy(db: Db, invoiceId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive paid as (
      select ${invoiceId}::text as id
      union select note.pays_invoice_id from paid
        join credit_note note on note.invoice_id = paid.id and note.pays_invoice_id is not null
    )
    select distinct subscription_id as id from paid join invoice using (id)
    where subscription_id is not null order by 1`.execute(db);
  return rows.map(({ id }) => id);
}

/** The other way round: the invoices that have paid for a subscription. */
export async function invoicesFor(db: Db, subscriptionId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive paying as (
      select id from invoice where subscription_id = ${subscriptionId}
      union select note.invoice_id from paying join credit_note note on note.pays_invoice_id = paying.id
    )
    select id from paying`.execute(db);
  return rows.map(({ id }) => id);
}
