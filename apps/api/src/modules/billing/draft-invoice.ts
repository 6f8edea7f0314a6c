import type { BuyerDetails } from '@fixpoint/contract/buyer-details.ts';
import { sumOf } from '@fixpoint/domain/billing/invoice.ts';
import { type QueryCreator, sql } from 'kysely';
import { newId, newPaymentReference } from '../../crypto/secrets.ts';
import type { Db } from '../../ports/database.ts';
import type { LineText, Seller } from '../../ports/json-columns.ts';
import type { Tables } from '../../ports/tables.ts';
import { buyerOf } from './buyer-details.ts';

export type InvoiceLine = { text: LineText; net: number; vat: number; vatRateBp: number; total: number };

/** Content of an invoice. A draft can be rewritten; an issued invoice never changes. */
export type InvoiceContent = {
  customerId: string | null;
  currency: string;
  lines: readonly InvoiceLine[];
  /** Proration credit: paid by the unused days of another subscription. */
  prorated?: number;
  /** `company`: that of this purchase, null for none; without it, the one that the customer has saved. */
  buyer: { email: string; company?: BuyerDetails | null };
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
  const { lines, customerId, buyer: by, ...frozen } = content;
  const buyer = buyerOf(customerId, by.email, by.company);
  const columns = { ...frozen, buyer, ...sumOf(lines), customer_id: customerId };
  const row = await tx
    .with('made', cte =>
      cte
        .insertInto('invoice')
        .values({
          ...columns,
          id: newId('inv'),
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
        .returning('id'),
    )
    .with('written', cte => writeLines(cte, customerId, lines))
    // Other rows than those written: a statement must not change a row twice.
    .with('surplus', cte =>
      cte
        .deleteFrom('invoice_line')
        .using('made')
        .whereRef('invoice_id', '=', 'made.id')
        .where('position', '>', lines.length),
    )
    .selectFrom('made')
    .select('id')
    .executeTakeFirst();
  return row?.id;
}

/** Writes the lines of the invoice `made`, in its statement. Lines of an earlier draft are overwritten. */
export const writeLines = (
  cte: QueryCreator<Tables & { made: { id: string } }>,
  customerId: string | null,
  lines: readonly InvoiceLine[],
) => {
  const numbered = lines.map((line, i) => ({ ...line, position: i + 1 }));
  return cte
    .insertInto('invoice_line')
    .columns(['invoice_id', 'customer_id', 'position', 'text', 'net', 'vat', 'vat_rate_bp', 'total'])
    .expression(
      sql`select made.id, ${customerId}::text, line.position, line.text, line.net, line.vat, line."vatRateBp", line.total
        from made, jsonb_to_recordset(${JSON.stringify(numbered)}::jsonb)
          as line(position int, text jsonb, net bigint, vat bigint, "vatRateBp" int, total bigint)`,
    )
    .onConflict(conflict =>
      conflict.columns(['invoice_id', 'position']).doUpdateSet(({ ref }) => ({
        customer_id: ref('excluded.customer_id'),
        text: ref('excluded.text'),
        net: ref('excluded.net'),
        vat: ref('excluded.vat'),
        vat_rate_bp: ref('excluded.vat_rate_bp'),
        total: ref('excluded.total'),
      })),
    );
};
