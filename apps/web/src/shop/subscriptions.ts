import type { subscriptionCalls } from '@fixpoint/contract/calls/subscription.ts';
import type { DataOf, Sent } from '@fixpoint/contract/endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { api } from '../server/api.ts';
import { queryClient } from '../server/query.ts';
import { PAGE_SIZE, pageBefore } from './list-pages.tsx';
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

/** Which subscriptions, and in which order. */
export type SubscriptionChoice = Pick<Sent<SubscriptionCalls['mySubscription']>['body'], 'status' | 'sort'>;

export const useSubscriptions = (page: number, choice: SubscriptionChoice = { sort: 'newest' }) =>
  useQuery({
    queryKey: ['subscriptions', page, choice],
    queryFn: () => api.subscription.mySubscription({ body: { page, size: PAGE_SIZE, ...choice } }),
    placeholderData: pageBefore(choice),
    refetchInterval: ({ state }) =>
      state.data?.items.some(item => item.status === 'provisioning') ? PREPARING_MS : false,
  });

export const useSubscription = (id: string) =>
  useQuery({
    queryKey: ['subscription', id],
    queryFn: () => api.subscription.getSubscription({ query: { id } }),
    refetchInterval: ({ state }) => (state.data?.status === 'provisioning' ? PREPARING_MS : false),
  });

/** Whoever switches the VPN on or off sees it here soon. */
const CONNECTED_MS = 20_000;

/** Through which of the customer's subscriptions this page itself comes to the shop. */
export const useConnected = () =>
  useQuery({
    queryKey: ['connected'],
    queryFn: () => api.subscription.connected({}),
    staleTime: 0,
    refetchInterval: CONNECTED_MS,
  });

/** What a device is called: as its owner said, else by its key's name. */
export const deviceName = ({ label, name }: Pick<SubscriptionKey, 'label' | 'name'>): string => label ?? name;

/** Fetches again what is on the screen: the list, one subscription with its keys (without `id` all), and what was paid. */
export function refreshSubscription(id?: string): Promise<unknown> {
  return Promise.all([
    queryClient.invalidateQueries({ queryKey: ['subscriptions'] }),
    queryClient.invalidateQueries({ queryKey: id === undefined ? ['subscription'] : ['subscription', id] }),
    queryClient.invalidateQueries({ queryKey: ['invoices'] }),
    queryClient.invalidateQueries({ queryKey: ['invoice'] }),
    // With what is owed, and which credit is left.
    queryClient.invalidateQueries({ queryKey: ['cards'] }),
  ]);
}

/** The shop says that one has changed. */
export function hearOfSubscription(id: string): void {
  // A first answer that is on its way, or one for a screen that is left, is older than that, and would be taken for new.
  void queryClient.cancelQueries({
    queryKey: ['subscription', id],
    predicate: query => query.state.data === undefined || !query.isActive(),
  });
  void refreshSubscription(id);
}
