import type { Db } from '../../ports/database.ts';
import type { InvoiceEvent } from '../billing/index.ts';
import type { TransitionDeps } from './deps.ts';
import { lockSubscription, type SubscriptionRow } from './store.ts';
import { transitionSubscription } from './transition.ts';

/** Grants the next period, whose invoice is paid, at the latest in this transaction. The customer gets its receipt. */
export async function grantRenewal(
  deps: TransitionDeps,
  tx: Db,
  row: SubscriptionRow,
  invoiceId: string,
): Promise<void> {
  const moved = await transitionSubscription(deps, tx, row, 'renew', {}, invoiceId);
  if (!moved.ok) throw new Error(`Subscription ${row.id} cannot be renewed`);
}

/** Changes a subscription when its renewal invoice is paid or refused, in the transaction that settles it. */
export const onRenewalInvoice =
  (deps: TransitionDeps) =>
  async (tx: Db, event: InvoiceEvent): Promise<void> => {
    if (event.orderId !== null || event.subscriptionId === null) return;
    const row = (await lockSubscription(tx, event.subscriptionId))!;
    if (event.type === 'invoicePaid') return grantRenewal(deps, tx, row, event.invoiceId);
    const liveEvent = { event: 'detailFetch', id: row.id } as const;
    const refreshPages = () =>
      deps.live.publish(tx, `customer:${row.customer_id}`, 'SUBSCRIPTION', liveEvent);
    if (event.type === 'paymentShort') {
      const to = { customerId: row.customer_id, subjectId: event.invoiceId };
      await deps.jobs.enqueue(tx, 'sendEmail', { template: 'paidInPart', ...to });
    }
    // A customer who pays manually sees the outcome there; their other pages need the new state.
    if (event.type !== 'paymentRefused' || !event.unattended) return refreshPages();
    const missed = await transitionSubscription(deps, tx, row, 'miss');
    if (!missed.ok) return;
    // After a further decline the state is the same, but the page must show the next try.
    if (row.status === 'pastDue') await refreshPages();
    await deps.jobs.enqueue(tx, 'sendEmail', {
      template: 'renewalFailed',
      customerId: row.customer_id,
      subjectId: row.id,
      copy: `${event.invoiceId}-${row.tries}`,
    });
  };
