import { sql } from 'kysely';
import type { Db } from '../../../ports/database.ts';
import { invoicesPaying } from '../../billing/index.ts';

/** An invoice that another invoice's money has paid, in part or in full. Amounts gross, in hundredths. */
export type FundedInvoice = {
  id: string;
  subscriptionId: string | null;
  /** The most of that money that can have come to it. */
  most: number;
  /** The part of the invoice that became its customer's credit. */
  credited: number;
};

/**
 * Invoices that the money of an invoice has paid: itself, and those of replacements that unused days have paid, the nearest
 * first.
 */
export async function fundedInvoices(db: Db, invoiceId: string): Promise<FundedInvoice[]> {
  const { rows } = await sql<FundedInvoice>`
    with recursive paid as (
      select id, total as most, 0 as steps from invoice where id = ${invoiceId}
      union all
      select note.pays_invoice_id, least(most, note.total), steps + 1
        from paid join credit_note note on note.invoice_id = paid.id and note.pays_invoice_id <> paid.id
    )
    select paid.id, subscription_id as "subscriptionId", sum(most)::bigint as most, (
      select coalesce(sum(note.total), 0) from credit_note note
      where note.invoice_id = paid.id and credited and pays_invoice_id is null)::bigint as credited
    from paid join invoice on invoice.id = paid.id
    group by paid.id, subscription_id order by max(steps), paid.id`.execute(db);
  return rows;
}

/** The subscriptions that an invoice has paid for: its own, and replacements that its unused days have paid. */
export const fundedSubscriptions = async (db: Db, invoiceId: string): Promise<string[]> => {
  const ids = (await fundedInvoices(db, invoiceId)).flatMap(({ subscriptionId }) => subscriptionId ?? []);
  return [...new Set(ids)].sort();
};

/** The invoices that have paid for a subscription. */
export async function fundingInvoices(db: Db, subscriptionId: string): Promise<string[]> {
  const { rows } = await invoicesPaying(sql.val(subscriptionId)).execute(db);
  return rows.map(({ id }) => id);
}
