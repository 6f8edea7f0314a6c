import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

/** Limit per run: the documents of each are deleted with it. */
const BATCH = 200;

/**
 * Anonymizes invoices of erased buyers to which nothing has happened since: deletes their documents and everything that
 * names a person or a payment. Numbers, amounts and lines stay, so that the books do not change (S83).
 * @returns their ids, so that other modules can do the same
 */
export async function anonymizeInvoices(tx: Db, since: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from invoice
    where buyer_is = 'pseudonym' and created_at < ${since} and (paid_at is null or paid_at < ${since})
      and not exists (select from credit_note note where note.invoice_id = invoice.id and note.issued_at >= ${since})
      and not exists (
        select from attempt
        left join refund on refund.attempt_id = attempt.id
        left join dispute on dispute.attempt_id = attempt.id
        where attempt.invoice_id = invoice.id
          and (greatest(attempt.updated_at, refund.updated_at, dispute.updated_at) >= ${since}
            or num_nonnulls(attempt.ask_at, refund.ask_at, dispute.ask_at) > 0))
    order by created_at limit ${BATCH} for update`.execute(tx);
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return [];
  const found = sql<string>`any(${ids})`;
  await tx.deleteFrom('document').where('invoice_id', '=', found).execute();
  await tx.updateTable('invoice_replacement').set({ pdf: null }).where('invoice_id', '=', found).execute();
  await tx.updateTable('credit_note').set({ reason: '' }).where('invoice_id', '=', found).execute();
  await tx
    .updateTable('invoice')
    .set(eb => ({ buyer: {}, buyer_is: 'nobody', reference: eb.ref('id'), documents_due_at: null }))
    .where('id', '=', found)
    .execute();
  return ids;
}
