import type { subscriptionCalls } from '@fixpoint/contract/calls/subscription.ts';
import type { DataOf } from '@fixpoint/contract/endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { api } from '../server/api.ts';
import { queryClient } from '../server/query.ts';
import { PAGE_SIZE } from './list-pages.tsx';
import { planName } from './plan-name.ts';
import { regionName } from './region.ts';

type SubscriptionCalls = typeof subscriptionCalls;
export type SubscriptionItem = DataOf<SubscriptionCalls['mySubscription']>['items'][number];
export type SubscriptionDetail = DataOf<SubscriptionCalls['getSubscription']>;
export type SubscriptionKey = SubscriptionDetail['keys'][number];

/** Where it runs, in the reader's language. */
export const subscriptionRegion = ({ regionId, region }: SubscriptionItem): string =>
  regionName({ id: regionId, name: region });

/** What a customer calls it: the plan and the place. */
export const subscriptionName = (subscription: SubscriptionItem): string =>
  `${planName(subscription.planId)}, ${subscriptionRegion(subscription)}`;

/** While one is being prepared it is asked for again, should there be no live connection. */
const PREPARING_MS = 5000;

export const useSubscriptions = (page: number) =>
  useQuery({
    queryKey: ['subscriptions', page],
    queryFn: () => api.subscription.mySubscription({ body: { page, size: PAGE_SIZE } }),
    refetchInterval: ({ state }) =>
      state.data?.items.some(item => item.status === 'provisioning') ? PREPARING_MS : false,
  });

export const useSubscription = (id: string) =>
  useQuery({
    queryKey: ['subscription', id],
    queryFn: () => api.subscription.getSubscription({ query: { id } }),
    refetchInterval: ({ state }) => (state.data?.status === 'provisioning' ? PREPARING_MS : false),
  });

/** Fetches again what is on the screen: the list, and one subscription with its keys. */
export function refreshSubscription(id: string): Promise<unknown> {
  return Promise.all([
    queryClient.invalidateQueries({ queryKey: ['subscriptions'] }),
    queryClient.invalidateQueries({ queryKey: ['subscription', id] }),
  ]);
}
