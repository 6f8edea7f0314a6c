import type { OrderProgress } from './steps-of.ts';

/**
 * Whether no host has room for what was bought: a subscription gets its address with the delivery of its order, so one
 * without an address waits until there is a host.
 */
export const waitsForHost = ({ subscription }: Pick<OrderProgress, 'subscription'>): boolean =>
  subscription?.status === 'provisioning' && subscription.address === undefined;
