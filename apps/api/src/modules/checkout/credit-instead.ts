import { languageOrDefault } from '@fixpoint/contract/languages.ts';
import type { Db } from '../../ports/database.ts';
import { giveCredit, uncredited } from '../billing/index.ts';
import { claimGuestPayment } from '../payment/index.ts';
import { emailTexts } from '../text/index.ts';
import type { CheckoutDeps } from './deps.ts';
import { proratedFor } from './replacement.ts';
import { type Order, transitionOrder } from './store.ts';

/** Assigns the payment of a paid order to its customer, and saves its method for them. @returns the invoice's ID */
export async function claimOrderPayment(
  deps: Pick<CheckoutDeps, 'jobs'>,
  tx: Db,
  order: Order,
): Promise<string> {
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
 * Turns the payment of a locked order into its customer's credit, because it came too late for what was offered. The
 * unused days that were to pay a part of it stay with their subscription.
 */
export async function creditInstead(
  deps: Pick<CheckoutDeps, 'clock' | 'jobs' | 'live'>,
  tx: Db,
  order: Order,
): Promise<void> {
  const { clock, jobs, live } = deps;
  const { subscription_id: id } = order;
  const invoiceId = await claimOrderPayment(deps, tx, order);
  const prorated = proratedFor(order);
  const of = { customerId: order.customer_id!, invoices: [invoiceId], reason: await changeReason(tx, order) };
  // Less what was refunded already.
  const amount = (await uncredited(tx, [invoiceId])).total - prorated;
  await giveCredit(tx, clock.now(), { ...of, amount });
  await giveCredit(tx, clock.now(), { ...of, amount: prorated, pays: invoiceId });
  await transitionOrder(tx, order, 'refund');
  await jobs.enqueue(tx, 'generateDocuments', { invoiceId });
  if (id)
    await live.publish(tx, `customer:${order.customer_id}`, 'SUBSCRIPTION', { event: 'detailFetch', id });
  await live.publish(tx, `order:${order.id}`, 'STATUS', { status: 'refunded' });
  await live.disconnect(tx, `order:${order.id}`);
}

/** The reason on the credit notes of a plan change, in the language of its order. */
export async function changeReason(tx: Db, { language }: Order): Promise<string> {
  const texts = await emailTexts(tx, languageOrDefault(language));
  return texts['document.planChange']!;
}
