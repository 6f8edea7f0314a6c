import type { Db } from '../../ports/database.ts';
import type { InvoiceEvent } from '../billing/index.ts';
import type { MoveDeps } from './deps.ts';
import { moveSubscription } from './move.ts';
import { lockSubscription, type SubscriptionRow } from './store.ts';

/** The invoice of the next period is paid, or is in this transaction: it is granted. Its receipt is its customer's email. */
export async function renewedPeriod(
  deps: MoveDeps,
  tx: Db,
  row: SubscriptionRow,
  invoiceId: string,
): Promise<void> {
  const moved = await moveSubscription(deps, tx, row, 'renew', {}, invoiceId);
  if (!moved.ok) throw new Error(`Subscription ${row.id} cannot be renewed`);
}

/** What a subscription does when the invoice of its renewal is paid or refused; in the transaction that settles it. */
export const onRenewalInvoice =
  (deps: MoveDeps) =>
  async (tx: Db, event: InvoiceEvent): Promise<void> => {
    if (event.orderId !== null || event.subscriptionId === null) return;
    const row = (await lockSubscription(tx, event.subscriptionId))!;
    if (event.type === 'invoicePaid') return renewedPeriod(deps, tx, row, event.invoiceId);
    const says = { event: 'detailFetch', id: row.id } as const;
    const pages = () => deps.live.publish(tx, `customer:${row.customer_id}`, 'SUBSCRIPTION', says);
    // Whoever tries with his own hand sees what came of it; his other pages, whether his money is on its way.
    if (event.type !== 'paymentRefused' || !event.unattended) return pages();
    const missed = await moveSubscription(deps, tx, row, 'miss');
    if (!missed.ok) return;
    // Refused once more it stands as it did, but not what its page says: when it is tried next.
    if (row.status === 'pastDue') await pages();
    await deps.jobs.enqueue(tx, 'sendEmail', {
      template: 'renewalFailed',
      customerId: row.customer_id,
      subjectId: row.id,
      copy: `${event.invoiceId}-${row.tries}`,
    });
  };
