import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import type { LiveBus } from '../../ports/live.ts';
import type { InvoiceEvent } from '../billing/index.ts';
import { lockOrder, type Order, transitionOrder } from './store.ts';

/** Changes an order when its invoice is paid, refused or retried, in the transaction that publishes the event. */
export const onInvoice =
  ({ clock, jobs, live }: { clock: Clock; jobs: Jobs; live: LiveBus }) =>
  async (tx: Db, event: InvoiceEvent): Promise<void> => {
    if (event.orderId === null) return;
    const order = await lockOrder(tx, event.orderId);
    if (event.type === 'paymentShort') {
      const to = { orderId: order.id, subjectId: event.invoiceId };
      await jobs.enqueue(tx, 'sendEmail', { template: 'paidInPart', ...to });
    }
    if (event.type === 'paymentMoved' || event.type === 'paymentShort') {
      // An open page asks for the state of the payment.
      return live.publish(tx, `order:${order.id}`, 'STATUS', { status: order.status });
    }
    if (event.type === 'paymentRetried' && order.status !== 'failed') return;
    const moved = await transitionBy(tx, order, clock.now(), event);
    if (!moved) return;
    if (event.type === 'invoicePaid') await jobs.enqueue(tx, 'fulfilOrder', { orderId: order.id });
    await live.publish(tx, `order:${order.id}`, 'STATUS', { status: moved.status });
  };

function transitionBy(
  tx: Db,
  order: Order,
  now: Date,
  event: Exclude<InvoiceEvent, { type: 'paymentMoved' | 'paymentShort' }>,
) {
  switch (event.type) {
    case 'invoicePaid':
      return transitionOrder(tx, order, 'paymentSucceeded', { paid_at: now, failure: null });
    case 'paymentRefused':
      return transitionOrder(tx, order, 'paymentFailed', { failure: event.failure });
    case 'paymentRetried':
      return transitionOrder(tx, order, 'submit', { failure: null });
  }
}
