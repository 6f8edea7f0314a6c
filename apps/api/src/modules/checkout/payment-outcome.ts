import type { Clock } from '../../ports/clock.ts';
import type { Jobs } from '../../ports/jobs.ts';
import type { LiveBus } from '../../ports/live.ts';
import type { PaymentOutcome } from '../payment/index.ts';
import { lockOrder, moveOrder } from './store.ts';

/** What an order does when its payment succeeds or is refused; in the transaction that settles the payment. */
export const paymentOutcome =
  ({ clock, jobs, live }: { clock: Clock; jobs: Jobs; live: LiveBus }): PaymentOutcome =>
  async (tx, outcome) => {
    const order = await lockOrder(tx, outcome.orderId);
    const moved =
      outcome.result === 'paid'
        ? await moveOrder(tx, order, 'paymentSucceeded', { paid_at: clock.now(), failure: null })
        : await moveOrder(tx, order, 'paymentFailed', { failure: outcome.failure });
    if (!moved) return;
    if (outcome.result === 'paid') await jobs.enqueue(tx, 'fulfilOrder', { orderId: order.id });
    await live.publish(tx, `order:${order.id}`, 'STATUS', { status: moved.status });
  };
