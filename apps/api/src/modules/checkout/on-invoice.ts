import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import type { LiveBus } from '../../ports/live.ts';
import type { InvoiceNews } from '../payment/index.ts';
import { lockOrder, moveOrder, type Order } from './store.ts';

/** What an order does when its invoice is paid, refused or tried to be paid again; in the transaction that makes it so. */
export const onInvoice =
  ({ clock, jobs, live }: { clock: Clock; jobs: Jobs; live: LiveBus }) =>
  async (tx: Db, news: InvoiceNews): Promise<void> => {
    if (news.orderId === null) return;
    const order = await lockOrder(tx, news.orderId);
    if (news.news === 'moved') {
      // Whoever looks at it asks how it stands.
      return live.publish(tx, `order:${order.id}`, 'STATUS', { status: order.status });
    }
    if (news.news === 'retried' && order.status !== 'failed') return;
    const moved = await moveBy(tx, order, clock.now(), news);
    if (!moved) return;
    if (news.news === 'paid') await jobs.enqueue(tx, 'fulfilOrder', { orderId: order.id });
    await live.publish(tx, `order:${order.id}`, 'STATUS', { status: moved.status });
  };

function moveBy(tx: Db, order: Order, now: Date, news: Exclude<InvoiceNews, { news: 'moved' }>) {
  switch (news.news) {
    case 'paid':
      return moveOrder(tx, order, 'paymentSucceeded', { paid_at: now, failure: null });
    case 'refused':
      return moveOrder(tx, order, 'paymentFailed', { failure: news.failure });
    case 'retried':
      return moveOrder(tx, order, 'submit', { failure: null });
  }
}
