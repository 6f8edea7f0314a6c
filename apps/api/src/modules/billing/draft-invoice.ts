import { sumOf } from '@fixpoint/domain/billing/invoice.ts';
import { sql } from 'kysely';
import { newId, newPaymentReference } from '../../crypto/secrets.ts';
import type { Db } from '../../ports/database.ts';
import type { Buyer, LineText, Seller } from '../../ports/json-columns.ts';

export type InvoiceLine = { text: LineText; net: number; vat: number; vatRateBp: number; total: number };

/** Content of an invoice. A draft can be rewritten; an issued invoice never changes. */
export type InvoiceContent = {
  customerId: string | null;
  currency: string;
  lines: readonly InvoiceLine[];
  /** Proration credit: paid by the unused days of another subscription. */
  prorated?: number;
  buyer: Buyer;
  seller: Seller;
  language: string;
};

/**
 * Drafts the invoice of an order at its first submission and rewrites it at each later one: buyers may change their order
 * until it is paid.
 * @param of `subscriptionId`: the subscription that is reactivated or changes its plan; null: a new one
 * @returns its id; undefined when it takes no money any more
 */
export async function draftInvoice(
  tx: Db,
  now: Date,
  {
    orderId,
    subscriptionId,
    upgrades,
  }: { orderId: string; subscriptionId: string | null; upgrades: boolean },
  content: InvoiceContent,
): Promise<string | undefined> {
  const { lines, customerId, ...frozen } = content;
  const columns = { ...frozen, ...sumOf(lines), customer_id: customerId };
  const id = newId('inv');
  const row = await tx
    .insertInto('invoice')
    .values({
      ...columns,
      id,
      purpose: upgrades ? 'upgrade' : subscriptionId ? 'reactivation' : 'purchase',
      order_id: orderId,
      subscription_id: subscriptionId,
      status: 'draft',
      reference: newPaymentReference(),
      created_at: now,
    })
    .onConflict(conflict =>
      conflict
        .column('order_id')
        .doUpdateSet({ ...columns, version: sql<number>`invoice.version + 1` })
        .where('invoice.status', '=', 'draft'),
    )
    .returning('id')
    .executeTakeFirst();
  if (!row) return undefined;
  // An invoice that was inserted just now has no lines to replace.
  if (row.id !== id) await tx.deleteFrom('invoice_line').where('invoice_id', '=', row.id).execute();
  await insertLines(tx, row.id, customerId, lines);
  return row.id;
}

/** Writes the lines of an invoice. */
export const insertLines = (
  tx: Db,
  invoiceId: string,
  customerId: string | null,
  lines: readonly InvoiceLine[],
) =>
  tx
    .insertInto('invoice_line')
    .values(
      lines.map(({ text, net, vat, vatRateBp, total }, i) => ({
        invoice_id: invoiceId,
        customer_id: customerId,
        position: i + 1,
        text,
        net,
        vat,
        vat_rate_bp: vatRateBp,
        total,
      })),
    )
    .execute();
