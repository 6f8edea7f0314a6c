import { failPoint } from '../../kernel/failpoints.ts';
import type { Db } from '../../ports/database.ts';
import type { UpgradeOffer } from '../../ports/json-columns.ts';
import { giveCredit, lockInvoice, uncredited } from '../billing/index.ts';
import { applyUpgrade, closeRenewal, lockOwn } from '../subscription/index.ts';
import { changeReason, creditInstead, takeInvoice } from './credit-instead.ts';
import type { CheckoutDeps } from './deps.ts';
import { lockOrder, moveOrder, type Order, productOf } from './store.ts';

/**
 * A paid upgrade begins, in one transaction: killed before the commit it has done nothing. One that has come too late for
 * what was offered becomes its customer's credit.
 */
export async function fulfilUpgrade(deps: CheckoutDeps, { id: orderId, ...paid }: Order): Promise<void> {
  const { db, clock, jobs, live, account, payment } = deps;
  const [customerId, subscriptionId] = [paid.customer_id!, paid.subscription_id!];
  await closeRenewal({ db, close: payment.close }, { customerId, subscriptionId });
  await db.transaction().execute(async tx => {
    // Before the order is locked, as everywhere: an account that ends waits for its orders.
    await account.holdActive(tx, customerId);
    const order = await lockOrder(tx, orderId);
    if (order.status !== 'paid') return;
    const upgrade = order.upgrade!;
    // One moment: what becomes credit here is reckoned with.
    const now = clock.now();
    await lockOwn(tx, customerId, subscriptionId);
    const begun =
      (await isLeft(tx, upgrade)) &&
      (await applyUpgrade(deps, tx, now, subscriptionId, {
        upgrade,
        product: await productOf(tx, order),
        renewal: order.renewal,
        vatRateBp: order.vat_rate_bp,
      }));
    if (!begun) return creditInstead(deps, tx, order);
    const invoiceId = await takeInvoice(deps, tx, order);
    const reason = await changeReason(tx, order);
    const { rest: amount, invoices } = upgrade;
    await giveCredit(tx, now, { customerId, invoices, amount, reason });
    await moveOrder(tx, order, 'fulfil', { fulfilled_at: now });
    for (const id of [invoiceId, ...(amount > 0 ? invoices : [])])
      await jobs.enqueue(tx, 'generateDocuments', { invoiceId: id });
    await live.publish(tx, `order:${orderId}`, 'STATUS', { status: 'fulfilled' });
    await live.disconnect(tx, `order:${orderId}`);
    failPoint('order.fulfilling');
  });
  failPoint('order.fulfilled');
}

/** Whether what paid for the days is there as it was when that was offered. Nobody else can move it from here on. */
async function isLeft(tx: Db, { invoices, left }: UpgradeOffer): Promise<boolean> {
  for (const id of invoices) await lockInvoice(tx, id);
  return (await uncredited(tx, invoices)).total === left;
}
