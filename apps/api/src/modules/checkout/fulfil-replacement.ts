import type { Db } from '../../ports/database.ts';
import { giveCredit, lockInvoice, uncredited } from '../billing/index.ts';
import { closeRenewal, lockReplaceable, replaceSubscription } from '../subscription/index.ts';
import { changeReason } from './credit-instead.ts';
import type { CheckoutDeps } from './deps.ts';
import { proratedFor } from './replacement.ts';
import type { Order } from './store.ts';

/** What can still take money for the next period of what a paid order takes the place of is closed first. */
export async function closeReplaced({ db, payment }: CheckoutDeps, order: Order): Promise<void> {
  if (!order.replacement) return;
  const { subscriptionId } = order.replacement;
  await closeRenewal({ db, close: payment.close }, { customerId: order.customer_id!, subscriptionId });
}

/**
 * Locks what a paid order takes the place of.
 * @returns how it is taken, once the new one is there; undefined where it is too late for that
 */
export async function replacing(
  deps: CheckoutDeps,
  tx: Db,
  order: Order,
): Promise<((by: { subscriptionId: string; invoiceId: string }) => Promise<void>) | undefined> {
  const { clock, jobs } = deps;
  const [customerId, offer] = [order.customer_id!, order.replacement!];
  const row = await lockReplaceable(deps, tx, customerId, offer);
  if (!row) return undefined;
  // Nobody else can move their money from here on.
  for (const id of offer.invoices) await lockInvoice(tx, id);
  // Given back meanwhile: it cannot pay, too.
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
