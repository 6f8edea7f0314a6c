import { LATE_COINS_MS } from '@fixpoint/domain/order/order.ts';
import type { Db } from '../../ports/database.ts';
import type { LockedInvoice } from './invoices.ts';

/**
 * The invoice as coins may pay it: it asks for nothing once its order has expired two days ago, because price and rate are
 * those of its day.
 */
export async function payableByCoins(db: Db, now: Date, invoice: LockedInvoice): Promise<LockedInvoice> {
  if (invoice.orderId === null || invoice.due === undefined) return invoice;
  const over = await db
    .selectFrom('shop_order')
    .select('id')
    .where('id', '=', invoice.orderId)
    .where('status', '=', 'expired')
    .where('expires_at', '<=', new Date(now.getTime() - LATE_COINS_MS))
    .executeTakeFirst();
  return over ? { ...invoice, due: undefined } : invoice;
}
