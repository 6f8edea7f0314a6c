import { newId } from '../../crypto/secrets.ts';
import { failPoint } from '../../kernel/failpoints.ts';
import { assignInvoice } from '../billing/index.ts';
import { claimGuestPayment } from '../payment/index.ts';
import { assignHostToNew, newIdentity } from '../provisioning/index.ts';
import { createSubscription, reactivate, takesReactivation } from '../subscription/index.ts';
import { creditInstead } from './credit-instead.ts';
import type { CheckoutDeps } from './deps.ts';
import { closeReplacedRenewal, prepareReplacement } from './fulfil-replacement.ts';
import { fulfilUpgrade } from './fulfil-upgrade.ts';
import { lockOrder, orderById, productOf, transitionOrder } from './store.ts';

/**
 * Turns a paid order into an account and a subscription, in one transaction. It runs as a job: if it dies before the commit
 * nothing has happened; if it dies after it, the next run finds the order fulfilled.
 */
export async function fulfilOrder(deps: CheckoutDeps, orderId: string): Promise<void> {
  const { db, clock, systemClock, live, signer, account, payment } = deps;
  const paid = await orderById(db, orderId);
  if (paid?.status !== 'paid') return;
  if (paid.upgrade) return fulfilUpgrade(deps, paid);
  await closeReplacedRenewal(deps, paid);
  // Signing is slow, so it happens before the transaction.
  const subscriptionId = paid.subscription_id ?? newId('sub');
  const identity = await newIdentity(signer, subscriptionId, systemClock.now());
  await live.transaction(db, async tx => {
    if (!paid.email || !paid.language) throw new Error(`Order ${orderId} cannot be fulfilled`);
    // Lock order: the account before the order. Deleting an account waits for its orders.
    const buyer = paid.customer_id
      ? { ...(await account.byId(tx, paid.customer_id))!, made: false }
      : await account.ensure(tx, paid.email, paid.language);
    // Nobody else can see, or delete, an account that this transaction made.
    if (!buyer.made) await account.holdActive(tx, buyer.id);
    // One for an existing subscription locks more before it moves. Otherwise the transition locks it, and throws if it has
    // changed.
    const order = paid.replacement || paid.subscription_id ? await lockOrder(tx, orderId) : paid;
    if (order.status !== 'paid') return;
    const replace = order.replacement && (await prepareReplacement(deps, tx, order));
    if (order.replacement && !replace) return creditInstead(deps, tx, order);
    if (order.subscription_id && !(await takesReactivation(tx, order.subscription_id, order.product_id))) {
      return creditInstead(deps, tx, order);
    }
    const fulfilled = { customer_id: buyer.id, made_account: buyer.made, fulfilled_at: clock.now() };
    await transitionOrder(tx, order, 'fulfil', fulfilled);
    // A guest's purchase for an existing account is a gift: anybody may buy for anybody's address.
    const isGift = order.customer_id === null && !buyer.made;
    const of = { customerId: buyer.id, orderId: order.id };
    const product = productOf(paid);
    const agreed = { product, renewal: order.renewal, vatRateBp: order.vat_rate_bp };
    let runs = false;
    if (order.subscription_id) runs = await reactivate(deps, tx, subscriptionId, identity, agreed);
    else {
      await createSubscription(deps, tx, {
        id: subscriptionId,
        identity,
        ...of,
        isGift,
        currency: order.currency,
        ...agreed,
      });
    }
    const invoiceId = await assignInvoice(tx, order.id, clock.now(), {
      customerId: buyer.id,
      subscriptionId,
      isNew: buyer.made,
    });
    // The payment method of a gift is not saved for the account.
    const lost = await claimGuestPayment(deps, tx, invoiceId, buyer.id, !isGift);

    await replace?.({ subscriptionId, invoiceId });
    if (lost) await payment.creditEarlierLosses(tx, invoiceId);

    await live.publish(tx, `order:${order.id}`, 'STATUS', { status: 'fulfilled' });
    // Otherwise the page waits until the subscription runs (`activate`).
    if (runs) await live.disconnect(tx, `order:${order.id}`);
    // Last, because it locks the free slots of the host. A reactivated subscription is placed by its own job.
    if (!order.subscription_id) {
      const to = { ...product, id: subscriptionId, customerId: buyer.id };
      const isPlaced = await assignHostToNew(deps, tx, to, identity);
      // Another order took the last address: the next try of this job finds no room, and gives credit instead.
      if (replace && !isPlaced) throw new Error(`The place of order ${orderId} is full`);
    }
    failPoint('order.fulfilling');
  });
  failPoint('order.fulfilled');
}
