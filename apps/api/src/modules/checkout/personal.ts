import type { Db } from '../../ports/database.ts';
import { eraseBuyers } from '../billing/index.ts';

/** Replaces the address on the orders of a deleted account by a pseudonym. */
export async function eraseOrders(
  tx: Db,
  customer: { id: string; email: string; pseudonym: string },
): Promise<void> {
  const { id, email, pseudonym } = customer;
  await tx.updateTable('shop_order').set({ email: pseudonym }).where('customer_id', '=', id).execute();
  // Also on those of customers that they founded and left.
  await tx
    .updateTable('shop_order')
    .set({ email: pseudonym })
    .where('email', '=', email)
    .where('customer_id', 'in', eb => eb.selectFrom('customer').select('id').where('founder_id', '=', id))
    .execute();
  // Also on others' orders for which a buyer entered this address.
  await tx
    .updateTable('shop_order')
    .set({ email: pseudonym })
    .where('email', '=', email)
    .where('email_changed_at', 'is not', null)
    .execute();
  // Also on unpaid guest orders under this address; not on any that somebody has begun since.
  const begun = await tx
    .selectFrom('shop_order')
    .innerJoin('invoice', 'invoice.order_id', 'shop_order.id')
    .select('shop_order.id')
    .where('shop_order.customer_id', 'is', null)
    .where('shop_order.email', '=', email)
    .where('invoice.status', '=', 'void')
    .execute();
  const ids = begun.map(order => order.id);
  if (ids.length === 0) return;
  await tx.updateTable('shop_order').set({ email: pseudonym }).where('id', 'in', ids).execute();
  await eraseBuyers(tx, ids);
}

/** A customer's orders, for the export of their data. */
export async function ordersOf(db: Db, customerId: string) {
  const rows = await db
    .selectFrom('shop_order')
    .select(['id', 'product_id as productId', 'status', 'currency', 'price', 'created_at'])
    .select('terms_version as termsVersion')
    .where('customer_id', '=', customerId)
    .orderBy('created_at')
    .execute();
  return {
    orders: rows.map(({ created_at, ...order }) => ({ ...order, createdAt: created_at.toISOString() })),
  };
}
