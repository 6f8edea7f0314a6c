import type { orderCalls } from '@fixpoint/contract/calls/order.ts';
import type { DataOf } from '@fixpoint/contract/endpoint.ts';

export type OrderProgress = DataOf<(typeof orderCalls)['purchaseData']>;
type Progress = Pick<OrderProgress, 'status' | 'subscription'>;

/** Whether what was ordered runs, or has run: its page can be opened again when that is long over. */
export const hasBegun = ({ status, subscription }: Progress): boolean =>
  status === 'fulfilled' && subscription !== undefined && subscription.status !== 'provisioning';

/** Whether nothing of it is on its way any more, and nothing of it runs. */
export const isOver = (order: Progress): boolean =>
  order.status === 'refunded' || (hasBegun(order) && order.subscription?.status === 'expired');

/**
 * How far an order is on its way to a VPN that can be used. One that begins without a test that succeeded has no such step:
 * it would say that it did.
 */
export function stepsOf(order: Progress) {
  const { status, subscription } = order;
  const hasAddress = subscription?.address !== undefined;
  const begun = hasBegun(order);
  const all = [
    { id: 'paid', done: status === 'paid' || status === 'fulfilled' },
    { id: 'host', done: hasAddress },
    { id: 'ip', done: hasAddress },
    { id: 'tested', done: begun },
    { id: 'ready', done: begun },
  ] as const;
  const steps = all.filter(({ id }) => id !== 'tested' || !begun || subscription?.tested);
  const running = steps.findIndex(({ done }) => !done);
  return steps.map(({ id, done }, index) => {
    const state: 'done' | 'running' | 'waiting' = done ? 'done' : index === running ? 'running' : 'waiting';
    return { id, state };
  });
}
