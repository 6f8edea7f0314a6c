import { failPoint } from '../../failpoints.ts';
import { productById } from '../catalog/index.ts';
import { createSubscription } from '../subscription/index.ts';
import type { CheckoutDeps } from './checkout.ts';
import { lockOrder, moveOrder } from './store.ts';

/**
 * Turns a paid order into an account and a subscription, in one transaction. It runs as a job: killed before the commit
 * it has done nothing, killed after it the next run finds the order fulfilled.
 */
export async function fulfilOrder(deps: CheckoutDeps, orderId: string): Promise<void> {
  const { db, clock, jobs, live, account, payment } = deps;
  await db.transaction().execute(async tx => {
    const order = await lockOrder(tx, orderId);
    if (order.status !== 'paid') return;
    const product = await productById(tx, order.product_id);
    if (!product || !order.email || !order.language) throw new Error(`Order ${orderId} cannot be fulfilled`);

    const customer = order.customer_id
      ? (await account.byId(tx, order.customer_id))!
      : await account.ensure(tx, order.email, order.language);
    await createSubscription(deps, tx, {
      customerId: customer.id,
      orderId: order.id,
      product,
      currency: order.currency,
      renewal: order.renewal,
      vatRateBp: order.vat_rate_bp,
    });
    await moveOrder(tx, order, 'fulfil', { customer_id: customer.id, fulfilled_at: clock.now() });
    const invoice = await tx
      .updateTable('invoice')
      .set({ customer_id: customer.id })
      .where('order_id', '=', order.id)
      .returning('id')
      .executeTakeFirstOrThrow();

    const attempt = await payment.paidAttempt(tx, invoice.id);
    if (attempt) await jobs.enqueue(tx, 'saveCard', { attemptId: attempt.id, customerId: customer.id });
    const letter = { customerId: customer.id, subjectId: order.id };
    await jobs.enqueue(tx, 'sendMail', { mail: 'receipt', ...letter });
    if (!customer.hasPassword) await jobs.enqueue(tx, 'sendMail', { mail: 'welcome', ...letter });
    await live.publish(tx, `order:${order.id}`, 'STATUS', { status: 'fulfilled' });
    failPoint('order.fulfilling');
  });
  failPoint('order.fulfilled');
}
