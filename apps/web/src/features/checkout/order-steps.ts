import type { orderCalls } from '@fixpoint/contract/calls/order.ts';
import type { DataOf } from '@fixpoint/contract/endpoint.ts';

export type OrderProgress = DataOf<(typeof orderCalls)['purchaseData']>;
type Progress = Pick<OrderProgress, 'status' | 'subscription'>;

/** Whether the ordered subscription runs or has run; the page may be opened long after. */
export const hasBegun = ({ status, subscription }: Progress): boolean =>
  status === 'fulfilled' && subscription !== undefined && subscription.status !== 'provisioning';

/** Whether nothing is on its way any more and nothing runs. */
export const isOver = (order: Progress): boolean =>
  order.status === 'refunded' || (hasBegun(order) && order.subscription?.status === 'expired');

/**
 * Whether no host has room: an address is assigned at delivery, so a subscription without one waits
 * for a host.
 */
export const waitsForHost = ({ subscription }: Pick<OrderProgress, 'subscription'>): boolean =>
  subscription?.status === 'provisioning' && subscription.address === undefined;

/**
 * Steps from the payment to a usable VPN. Once it runs, the test is a step only if it succeeded.
 */
export function orderSteps(order: Progress) {
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
