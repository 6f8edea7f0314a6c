import { failPoint } from '../../kernel/failpoints.ts';
import type { Db } from '../../ports/database.ts';
import type { UpgradeOffer } from '../../ports/json-columns.ts';
import { giveCredit, lockInvoice, uncredited } from '../billing/index.ts';
import { applyUpgrade, closeRenewal, lockOwn } from '../subscription/index.ts';
import { changeReason, claimOrderPayment, creditInstead } from './credit-instead.ts';
import type { CheckoutDeps } from './deps.ts';
import { lockOrder, type OrderOnPage, productOf, transitionOrder } from './store.ts';

/**
 * Begins a paid upgrade, in one transaction. A payment that came too late for what was offered becomes the customer's credit.
 */
export async function fulfilUpgrade(deps: CheckoutDeps, paid: OrderOnPage): Promise<void> {
  const { db, clock, jobs, live, account, payment } = deps;
  const [orderId, customerId, subscriptionId] = [paid.id, paid.customer_id!, paid.subscription_id!];
  await closeRenewal({ db, close: payment.close }, { customerId, subscriptionId });
  await db.transaction().execute(async tx => {
    // Lock order: the account before the order. Deleting an account waits for its orders.
    await account.holdActive(tx, customerId);
    const order = await lockOrder(tx, orderId);
    if (order.status !== 'paid') return;
    const upgrade = order.upgrade!;
    // The same moment for the upgrade and its credit notes: later calculations tell older refunds apart by it.
    const now = clock.now();
    await lockOwn(tx, customerId, subscriptionId);
    const begun =
      (await isStillPaid(tx, upgrade)) &&
      (await applyUpgrade(deps, tx, now, subscriptionId, {
        upgrade,
        product: productOf(paid),
        renewal: order.renewal,
        vatRateBp: order.vat_rate_bp,
      }));
    if (!begun) return creditInstead(deps, tx, order);
    const invoiceId = await claimOrderPayment(deps, tx, order);
    const reason = await changeReason(tx, order);
    const { rest: amount, invoices } = upgrade;
    await giveCredit(tx, now, { customerId, invoices, amount, reason });
    await transitionOrder(tx, order, 'fulfil', { fulfilled_at: now });
    for (const id of [invoiceId, ...(amount > 0 ? invoices : [])])
      await jobs.enqueue(tx, 'generateDocuments', { invoiceId: id });
    await live.publish(tx, `order:${orderId}`, 'STATUS', { status: 'fulfilled' });
    await live.disconnect(tx, `order:${orderId}`);
    failPoint('order.fulfilling');
  });
  failPoint('order.fulfilled');
}

/** Locks the invoices of an offer. @returns whether no more was refunded of them since it was made */
async function isStillPaid(tx: Db, { invoices, left }: UpgradeOffer): Promise<boolean> {
  for (const id of invoices) await lockInvoice(tx, id);
  return (await uncredited(tx, invoices)).total === left;
}
