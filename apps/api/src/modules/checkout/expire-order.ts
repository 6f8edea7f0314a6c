import type { Db } from '../../ports/database.ts';
import { lockInvoice, releaseCredit } from '../billing/index.ts';
import type { CheckoutDeps } from './deps.ts';
import { reserveForOrder } from './reactivation.ts';
import { lockOrder, type Order, transitionOrder } from './store.ts';

/** An order with a payment under way is checked again after this long. */
const AGAIN_MS = 60 * 60_000;

/** Postpones the expiry of an order, and of the address that it reserves. */
async function waitLonger(tx: Db, order: Order, now: Date): Promise<void> {
  const expires_at = new Date(now.getTime() + AGAIN_MS);
  await tx.updateTable('shop_order').set({ expires_at }).where('id', '=', order.id).execute();
  if (order.keeps_address) await reserveForOrder(tx, { ...order, expires_at });
}

/**
 * Closes the open payment of an order at the gateway, then expires the order. While a payment is under way the order waits:
 * expiring releases its reserved credit, and the payment alone would be too little.
 */
export async function expireOrder(
  { db, clock, payment, live }: CheckoutDeps,
  orderId: string,
): Promise<void> {
  const due = await db
    .selectFrom('shop_order')
    .leftJoin('invoice', 'invoice.order_id', 'shop_order.id')
    .select('invoice.id as invoiceId')
    .where('shop_order.id', '=', orderId)
    .where('shop_order.expires_at', '<=', clock.now())
    .executeTakeFirst();
  if (!due) return;
  if (due.invoiceId) await payment.close(due.invoiceId);
  await db.transaction().execute(async tx => {
    const order = await lockOrder(tx, orderId);
    const invoice = due.invoiceId ? await lockInvoice(tx, due.invoiceId) : undefined;
    // An invoice of an ended account takes no money any more, so the order does not wait.
    if (invoice?.due !== undefined && (await payment.isOnItsWay(tx, invoice.id))) {
      return waitLonger(tx, order, clock.now());
    }
    if (!(await transitionOrder(tx, order, 'expire'))) return;
    if (invoice) await releaseCredit(tx, clock.now(), invoice);
    await live.disconnect(tx, `order:${orderId}`);
  });
}
