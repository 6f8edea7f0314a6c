import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

/**
 * Refunds of these invoices since an upgrade last accounted for them, gross in hundredths: as money, or as credit by staff.
 * An upgrade that came too late is left out, because it has paid for no day.
 */
export async function refunded(
  db: Db,
  invoices: readonly { id: string; upgraded_at: Date | null }[],
): Promise<number> {
  const accountedAt = Math.max(0, ...invoices.map(({ upgraded_at: at }) => at?.getTime() ?? 0));
  const { total } = await db
    .selectFrom('credit_note')
    .innerJoin('invoice', 'invoice.id', 'credit_note.invoice_id')
    .leftJoin('shop_order', 'shop_order.id', 'invoice.order_id')
    .select(sql<number>`coalesce(sum(credit_note.total), 0)::bigint`.as('total'))
    .where('credit_note.invoice_id', '=', sql<string>`any(${invoices.map(({ id }) => id)})`)
    .where('credit_note.issued_at', '>', new Date(accountedAt))
    .where(({ not, and, eb }) =>
      not(and([eb('invoice.purpose', '=', 'upgrade'), eb('shop_order.status', '=', 'refunded')])),
    )
    .executeTakeFirstOrThrow();
  return total;
}
