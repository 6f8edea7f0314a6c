import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import type { LiveBus } from '../../ports/live.ts';
import type { InvoiceNews } from '../payment/index.ts';
import { lockOrder, moveOrder } from './store.ts';

/** What an order does when its invoice is paid or refused; in the transaction that settles the payment. */
export const onInvoice =
  ({ clock, jobs, live }: { clock: Clock; jobs: Jobs; live: LiveBus }) =>
  async (tx: Db, news: InvoiceNews): Promise<void> => {
    if (news.orderId === null) return;
    const order = await lockOrder(tx, news.orderId);
    if (news.news === 'moved') {
      // Whoever looks at it asks how it stands.
      return live.publish(tx, `order:${order.id}`, 'STATUS', { status: order.status });
    }
    const moved =
      news.news === 'paid'
        ? await moveOrder(tx, order, 'paymentSucceeded', { paid_at: clock.now(), failure: null })
        : await moveOrder(tx, order, 'paymentFailed', { failure: news.failure });
    if (!moved) return;
    if (news.news === 'paid') await jobs.enqueue(tx, 'fulfilOrder', { orderId: order.id });
    await live.publish(tx, `order:${order.id}`, 'STATUS', { status: moved.status });
  };
