import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

/** Who bought is forgotten; the rest is kept for its legal time (`end-invoices.ts`). */
const PSEUDONYM = { buyer: {}, buyer_is: 'pseudonym' } as const;

/** An ended account's invoices stay for the law, without who bought; what it was given, without why. */
export async function eraseInvoices(tx: Db, customerId: string): Promise<void> {
  await tx.updateTable('goodwill').set({ reason: '' }).where('customer_id', '=', customerId).execute();
  await tx.updateTable('invoice').set(PSEUDONYM).where('customer_id', '=', customerId).execute();
}

/** Invoices of orders whose buyer is forgotten. */
export async function eraseBuyers(tx: Db, orderIds: readonly string[]): Promise<void> {
  if (orderIds.length === 0) return;
  await tx
    .updateTable('invoice')
    .set(PSEUDONYM)
    .where('order_id', '=', sql<string>`any(${[...orderIds]})`)
    .execute();
}

/** The buyer had mistyped his address: his invoice does not keep what may be a stranger's. */
export async function correctBuyer(tx: Db, orderId: string, email: string): Promise<void> {
  await tx.updateTable('invoice').set({ buyer: { email } }).where('order_id', '=', orderId).execute();
}

/** A customer's invoices and what credit he was given, for the export of his data. */
export async function invoicesOf(db: Db, customerId: string) {
  const rows = await db
    .selectFrom('invoice')
    .select(['number', 'status', 'currency', 'net', 'vat', 'total', 'created_at', 'issued_at'])
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
    goodwill: goodwill.map(({ created_at, ...given }) => ({ ...given, givenAt: created_at.toISOString() })),
    invoices: rows.map(({ created_at, issued_at, ...invoice }) => ({
      ...invoice,
      createdAt: created_at.toISOString(),
      issuedAt: issued_at?.toISOString() ?? null,
    })),
  };
}
