import type { OrderProgress } from './use-order-progress.ts';

/**
 * How far an order is on its way to a VPN that can be used. One that begins without a test that succeeded has no such step:
 * it would say that it did.
 */
export function stepsOf({ status, subscription }: Pick<OrderProgress, 'status' | 'subscription'>) {
  const hasAddress = subscription?.address !== undefined;
  const begun = subscription?.status === 'active';
  const all = [
    { id: 'paid', done: status === 'paid' || status === 'fulfilled' },
    { id: 'host', done: hasAddress },
    { id: 'ip', done: hasAddress },
    { id: 'tested', done: begun },
    { id: 'ready', done: begun },
  ] as const;
  const steps = all.filter(({ id }) => id !== 'tested' || !begun || subscription.tested);
  const running = steps.findIndex(({ done }) => !done);
  return steps.map(({ id, done }, index) => {
    const state: 'done' | 'running' | 'waiting' = done ? 'done' : index === running ? 'running' : 'waiting';
    return { id, state };
  });
}
