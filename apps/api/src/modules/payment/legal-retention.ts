import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import { anonymizeInvoices } from '../billing/index.ts';

const EVENTS = 1000;

/** Removes whatever names an erased buyer from invoices and payments whose legal retention is over (S83). */
export async function endLegalRetention(db: Db, since: Date): Promise<void> {
  await db.transaction().execute(async tx => {
    const invoices = await anonymizeInvoices(tx, since);
    if (invoices.length > 0) await endPayments(tx, invoices);
  });
  await endEvents(db, since);
}

/** Removes the gateways’ IDs of payments, refunds and disputes, which identify the payer. Amounts, fees and dates stay. */
async function endPayments(tx: Db, invoiceIds: readonly string[]): Promise<void> {
  const paid = await tx
    .updateTable('attempt')
    .set({ provider_ref: null, charge_ref: null, paid_with: null, counted_for: [] })
    .where('invoice_id', '=', sql<string>`any(${[...invoiceIds]})`)
    .returning(['id', 'gateway_customer_id'])
    .execute();
  const attempts = sql<string>`any(${paid.map(({ id }) => id)})`;
  await sql`update receipt set provider_ref = ended.name from (
      select attempt_id as of, provider_ref as ref,
        'ended-' || row_number() over (partition by attempt_id order by received_at, provider_ref) as name
      from receipt where attempt_id = ${attempts}) ended
    where attempt_id = ended.of and provider_ref = ended.ref`.execute(tx);
  await tx
    .updateTable('out_of_band_refund')
    .set({ reason: '' })
    .where('invoice_id', '=', sql<string>`any(${[...invoiceIds]})`)
    .execute();
  await tx.updateTable('refund').set({ provider_ref: null }).where('attempt_id', '=', attempts).execute();
  await tx
    .updateTable('dispute')
    .set(eb => ({ provider_ref: eb.ref('id') }))
    .where('attempt_id', '=', attempts)
    .execute();
  // The gateway's ID of a customer stays while another of their invoices is retained.
  await tx
    .updateTable('gateway_customer')
    .set({ provider_ref: null })
    .where('id', '=', sql<string>`any(${paid.flatMap(({ gateway_customer_id: id }) => id ?? [])})`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('attempt')
            .innerJoin('invoice', 'invoice.id', 'attempt.invoice_id')
            .select('attempt.id')
            .whereRef('attempt.customer_id', '=', 'gateway_customer.customer_id')
            .where('invoice.buyer_is', '<>', 'nobody'),
        ),
      ),
    )
    .execute();
}

/** Deletes webhook events that were processed before then. */
async function endEvents(db: Db, since: Date): Promise<void> {
  await sql`delete from provider_event where ctid = any(array(
    select ctid from provider_event where received_at < ${since} and processed_at is not null
    order by received_at limit ${EVENTS}))`.execute(db);
}
