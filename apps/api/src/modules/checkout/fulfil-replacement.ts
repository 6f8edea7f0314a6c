import type { Db } from '../../ports/database.ts';
import { giveCredit, lockInvoice, uncredited } from '../billing/index.ts';
import { hasRoomFor } from '../catalog/index.ts';
import { closeRenewal, lockReplaceable, replaceSubscription } from '../subscription/index.ts';
import { changeReason } from './credit-instead.ts';
import type { CheckoutDeps } from './deps.ts';
import { areDaysUnused, proratedFor } from './replacement.ts';
import type { Order } from './store.ts';

/** Closes the payments of the next renewal of the subscription that a paid order replaces. */
export async function closeReplacedRenewal({ db, payment }: CheckoutDeps, order: Order): Promise<void> {
  if (!order.replacement) return;
  const { subscriptionId } = order.replacement;
  await closeRenewal({ db, close: payment.close }, { customerId: order.customer_id!, subscriptionId });
}

/**
 * Locks the subscription that a paid order replaces.
 * @returns a function that replaces it once the new one exists; undefined where the offer does not hold any more
 */
export async function prepareReplacement(
  deps: CheckoutDeps,
  tx: Db,
  order: Order,
): Promise<((by: { subscriptionId: string; invoiceId: string }) => Promise<void>) | undefined> {
  const { clock, jobs } = deps;
  const [customerId, offer] = [order.customer_id!, order.replacement!];
  const row = await lockReplaceable(deps, tx, customerId, offer);
  if (!row || !(await areDaysUnused(tx, clock.now(), offer))) return undefined;
  if (!(await hasRoomFor(tx, clock.now(), order.product_id))) return undefined;
  // From here on nobody else can change these invoices.
  for (const id of offer.invoices) await lockInvoice(tx, id);
  // Refunded meanwhile: that money cannot pay the new one as well.
  if ((await uncredited(tx, offer.invoices)).total !== offer.left) return undefined;
  return async by => {
    const [now, prorated, { invoices }] = [clock.now(), proratedFor(order), offer];
    const of = { customerId, invoices, reason: await changeReason(tx, order) };
    await giveCredit(tx, now, { ...of, amount: prorated, pays: by.invoiceId });
    await giveCredit(tx, now, { ...of, amount: offer.unused - prorated });
    for (const invoiceId of invoices) await jobs.enqueue(tx, 'generateDocuments', { invoiceId });
    await replaceSubscription(deps, tx, row, by.subscriptionId);
  };
}
