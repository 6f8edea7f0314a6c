import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import type { Buyer } from '../../ports/json-columns.ts';
import { readBuyerDetails } from './buyer-details.ts';

/**
 * The buyer is erased; the rest stays for its legal retention (`anonymize-invoices.ts`). What was a full tax invoice stays
 * one, without the company.
 */
const PSEUDONYM = {
  buyer: sql<Buyer>`case when buyer ?| array['company', 'wasCompany'] then '{"wasCompany": true}'::jsonb else '{}' end`,
  buyer_is: 'pseudonym',
} as const;

/**
 * Erases the buyer from a deleted account's invoices, which the law requires to keep, how they called their subscriptions and
 * which addresses these had, and the reasons of its goodwill.
 */
export async function eraseInvoices(tx: Db, customerId: string): Promise<void> {
  await tx.updateTable('goodwill').set({ reason: '' }).where('customer_id', '=', customerId).execute();
  await tx.deleteFrom('buyer_details').where('customer_id', '=', customerId).execute();
  // Their documents name the address, so they are generated again without it. An invoice that asked for a payment is not.
  const billed = tx.selectFrom('document').select('invoice_id').where('customer_id', '=', customerId);
  await tx
    .updateTable('invoice')
    .set(({ ref }) => ({ documents_due_at: ref('created_at') }))
    .where('id', 'in', billed)
    .execute();
  await tx.deleteFrom('document').where('customer_id', '=', customerId).execute();
  await tx.updateTable('invoice').set(PSEUDONYM).where('customer_id', '=', customerId).execute();
  await tx
    .updateTable('invoice_replacement')
    .set({ company: sql`'{}'`, reason: '', pdf: null, made_at: null })
    .where('customer_id', '=', customerId)
    .execute();
  // Whose an address was is nobody's business any more; the law asks for what was sold and for how much.
  const theirs = tx.selectFrom('invoice').select('id').where('customer_id', '=', customerId);
  await tx
    .updateTable('invoice_line')
    .set({ text: sql`text - 'label' - 'address'` })
    .where('invoice_id', 'in', theirs)
    .where(sql<boolean>`text ?| array['label', 'address']`)
    .execute();
}

/** Erases the buyer from the invoices of these orders. */
export async function eraseBuyers(tx: Db, orderIds: readonly string[]): Promise<void> {
  if (orderIds.length === 0) return;
  await tx
    .updateTable('invoice')
    .set(PSEUDONYM)
    .where('order_id', '=', sql<string>`any(${[...orderIds]})`)
    .execute();
}

/**
 * Corrects the buyer's mistyped address on an invoice: the wrong one may be a stranger's.
 * @returns the invoice if it had documents: they are due again, and their email with them
 */
export async function correctBuyer(tx: Db, orderId: string, email: string): Promise<string | undefined> {
  const invoice = await tx
    .updateTable('invoice')
    .set({ buyer: sql<Buyer>`buyer || ${JSON.stringify({ email })}::jsonb` })
    .where('order_id', '=', orderId)
    .returning('id')
    .executeTakeFirst();
  if (!invoice) return undefined;
  const { numDeletedRows } = await tx
    .deleteFrom('document')
    .where('invoice_id', '=', invoice.id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) return undefined;
  await tx
    .updateTable('invoice')
    .set(({ ref }) => ({ documents_due_at: ref('created_at') }))
    .where('id', '=', invoice.id)
    .execute();
  return invoice.id;
}

/** A customer's invoices and goodwill credit, for the export of their data. */
export async function invoicesOf(db: Db, customerId: string) {
  const rows = await db
    .selectFrom('invoice')
    .select(['number', 'status', 'currency', 'net', 'vat', 'total', 'created_at', 'issued_at', 'buyer'])
    .where('customer_id', '=', customerId)
    .orderBy('created_at')
    .execute();
  const goodwill = await db
    .selectFrom('goodwill')
    .select(['currency', 'amount', 'reason', 'created_at'])
    .where('customer_id', '=', customerId)
    .orderBy('created_at')
    .execute();
  return {
    company: (await readBuyerDetails(db, customerId)) ?? null,
    goodwill: goodwill.map(({ created_at, ...given }) => ({ ...given, givenAt: created_at.toISOString() })),
    invoices: rows.map(({ created_at, issued_at, buyer, ...invoice }) => ({
      ...invoice,
      company: buyer.company ?? null,
      createdAt: created_at.toISOString(),
      issuedAt: issued_at?.toISOString() ?? null,
    })),
  };
}
