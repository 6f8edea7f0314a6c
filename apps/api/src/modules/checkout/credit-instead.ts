import { isLanguage } from '@fixpoint/contract/languages.ts';
import type { Db } from '../../ports/database.ts';
import { giveCredit, uncredited } from '../billing/index.ts';
import { claimGuestPayment } from '../payment/index.ts';
import { emailTexts } from '../text/index.ts';
import type { CheckoutDeps } from './deps.ts';
import { proratedFor } from './replacement.ts';
import { moveOrder, type Order } from './store.ts';

/** The invoice of a customer's paid order; how it was paid is his to use again. */
export async function takeInvoice(deps: Pick<CheckoutDeps, 'jobs'>, tx: Db, order: Order): Promise<string> {
  const customerId = order.customer_id!;
  const { id } = await tx
    .selectFrom('invoice')
    .select('id')
    .where('order_id', '=', order.id)
    .executeTakeFirstOrThrow();
  await claimGuestPayment(deps, tx, id, customerId, true);
  return id;
}

/**
 * A locked order was paid too late for what it was offered: what was paid becomes its customer's credit, and what unused
 * days were to pay of it stays with them.
 */
export async function creditInstead(
  deps: Pick<CheckoutDeps, 'clock' | 'jobs' | 'live'>,
  tx: Db,
  order: Order,
): Promise<void> {
  const { clock, jobs, live } = deps;
  const { subscription_id: id } = order;
  const invoiceId = await takeInvoice(deps, tx, order);
  const prorated = proratedFor(order);
  const of = { customerId: order.customer_id!, invoices: [invoiceId], reason: await changeReason(tx, order) };
  // Less what its payer has back already.
  const amount = (await uncredited(tx, [invoiceId])).total - prorated;
  await giveCredit(tx, clock.now(), { ...of, amount });
  await giveCredit(tx, clock.now(), { ...of, amount: prorated, pays: invoiceId });
  await moveOrder(tx, order, 'refund');
  await jobs.enqueue(tx, 'generateDocuments', { invoiceId });
  if (id)
    await live.publish(tx, `customer:${order.customer_id}`, 'SUBSCRIPTION', { event: 'detailFetch', id });
  await live.publish(tx, `order:${order.id}`, 'STATUS', { status: 'refunded' });
  await live.disconnect(tx, `order:${order.id}`);
}

/** What the credit notes of a change of plan say, in the language of its order. */
export async function changeReason(tx: Db, { language }: Order): Promise<string> {
  const texts = await emailTexts(tx, language && isLanguage(language) ? language : 'en');
  return texts['document.planChange']!;
}
