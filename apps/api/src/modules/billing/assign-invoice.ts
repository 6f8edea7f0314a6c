import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

/**
 * Assigns a paid invoice to the account and subscription that it was for.
 * @param to `isNew`: the purchase made the account, so the company of the invoice is saved for the next ones
 * @returns its id
 */
export async function assignInvoice(
  tx: Db,
  orderId: string,
  now: Date,
  to: { customerId: string; subscriptionId: string; isNew: boolean },
): Promise<string> {
  const { id } = await tx
    .with('given', cte =>
      cte
        .updateTable('invoice')
        .set({ customer_id: to.customerId, subscription_id: to.subscriptionId })
        .where('order_id', '=', orderId)
        .returning(['id', 'buyer']),
    )
    .with('lines', cte =>
      cte
        .updateTable('invoice_line')
        .set({ customer_id: to.customerId })
        .where('invoice_id', '=', eb => eb.selectFrom('given').select('id')),
    )
    .with('saved', cte =>
      cte
        .insertInto('buyer_details')
        .columns(['customer_id', 'details', 'updated_at'])
        .expression(
          sql`select ${to.customerId}::text, buyer -> 'company', ${now}::timestamptz from given
            where ${to.isNew} and buyer ? 'company'`,
        ),
    )
    .selectFrom('given')
    .select('id')
    .executeTakeFirstOrThrow();
  return id;
}
