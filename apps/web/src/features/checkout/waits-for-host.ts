import type { OrderProgress } from './steps-of.ts';

/**
 * Whether no host has room: an address is assigned at delivery, so a subscription without one waits
 * for a host.
 */
export const waitsForHost = ({ subscription }: Pick<OrderProgress, 'subscription'>): boolean =>
  subscription?.status === 'provisioning' && subscription.address === undefined;
