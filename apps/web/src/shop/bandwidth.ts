import type { subscriptionCalls } from '@fixpoint/contract/calls/subscription.ts';
import type { DataOf } from '@fixpoint/contract/endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { api } from '../server/api.ts';

export type Bandwidth = DataOf<(typeof subscriptionCalls)['getBandwidth']>;

/** Bandwidth of a subscription, its keys' limits and usage. Refreshed with the subscription. */
export const useBandwidth = (id: string) =>
  useQuery({
    queryKey: ['subscription', id, 'bandwidth'],
    queryFn: () => api.subscription.getBandwidth({ params: { id } }),
  });
