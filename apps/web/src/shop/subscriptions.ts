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
/** What is needed to show and add devices: members see no more of a subscription. */
export type WithDevices = Pick<
  SubscriptionDetail,
  'id' | 'keys' | 'ending' | 'devices' | 'status' | 'allowedActions' | 'openInvoice'
>;

/** Region of a subscription, in the language on the screen. */
export const subscriptionRegion = ({ regionId, region }: SubscriptionItem): string =>
  regionName({ id: regionId, name: region });

/** Whether its customer has to pay something now. */
export const isDue = ({ openInvoice }: Pick<SubscriptionItem, 'openInvoice'>): boolean =>
  openInvoice !== undefined && !openInvoice.onItsWay;

/** What was bought: plan and place. */
export const subscriptionKind = (subscription: SubscriptionItem): string =>
  `${planName(subscription.planId)}, ${subscriptionRegion(subscription)}`;

/** Name of a subscription: its customer's label, else its address, else what was bought. */
export const subscriptionName = (subscription: SubscriptionItem): string =>
  subscription.label ?? subscription.address ?? subscriptionKind(subscription);

/** Polling interval during provisioning, in case there is no live connection, ms. */
const PROVISIONING_POLL_MS = 5000;

/** Filter and order of the subscription list. */
export type SubscriptionChoice = Pick<
  Sent<SubscriptionCalls['mySubscription']>['body'],
  'status' | 'sort' | 'search'
>;

export const useSubscriptions = (
  page: number,
  choice: SubscriptionChoice = { sort: 'newest' },
  enabled = true,
) =>
  useQuery({
    enabled,
    queryKey: ['subscriptions', page, choice],
    queryFn: () => api.subscription.mySubscription({ body: { page, size: PAGE_SIZE, ...choice } }),
    placeholderData: pageBefore(choice),
    refetchInterval: ({ state }) =>
      state.data?.items.some(item => item.status === 'provisioning') ? PROVISIONING_POLL_MS : false,
  });

export const useSubscription = (id: string) =>
  useQuery({
    queryKey: ['subscription', id],
    queryFn: () => api.subscription.getSubscription({ query: { id } }),
    refetchInterval: ({ state }) => (waitsForHost(state.data) ? PROVISIONING_POLL_MS : false),
  });

/** Devices of a subscription that the page shows, as they are now. Reads nothing itself. */
export const useShownKeys = (id: string) =>
  useQuery<{ keys: SubscriptionKey[] }>({ queryKey: ['subscription', id], enabled: false }).data?.keys;

/** Subscriptions of a member: those in which they may have devices. */
export const useMemberSubscriptions = () =>
  useQuery({
    queryKey: ['subscriptions', 'ofMember'],
    queryFn: () => api.member.subscriptions({}),
  });

/** One of them, with the member's own devices. */
export const useMemberSubscription = (id: string) =>
  useQuery({
    queryKey: ['subscription', id],
    queryFn: () => api.member.subscription({ query: { id } }),
    refetchInterval: ({ state }) => (waitsForHost(state.data) ? PROVISIONING_POLL_MS : false),
  });

/** Whether the page shows something that its host has yet to confirm. */
const waitsForHost = (data: Pick<SubscriptionDetail, 'status' | 'ending' | 'keys'> | undefined): boolean =>
  data !== undefined &&
  (data.status === 'provisioning' || data.ending.length > 0 || data.keys.some(key => key.settingUp));

/** Polling interval, so that switching the VPN on or off is seen soon, ms. */
const CONNECTED_POLL_MS = 20_000;

/** The customer's subscriptions through which this page reaches the shop. */
export const useConnected = () =>
  useQuery({
    queryKey: ['connected'],
    queryFn: () => api.subscription.connected({}),
    staleTime: 0,
    refetchInterval: CONNECTED_POLL_MS,
  });

/** Name of a device: the owner's label, else the key's name. */
export const deviceName = ({ label, name }: Pick<SubscriptionKey, 'label' | 'name'>): string => label ?? name;

/**
 * Refetches what is on the screen: the list, one subscription with its keys (without `id` all), and
 * invoices.
 */
export function refreshSubscription(id?: string): Promise<unknown> {
  return Promise.all([
    queryClient.invalidateQueries({ queryKey: ['subscriptions'] }),
    queryClient.invalidateQueries({ queryKey: id === undefined ? ['subscription'] : ['subscription', id] }),
    queryClient.invalidateQueries({ queryKey: ['invoices'] }),
    queryClient.invalidateQueries({ queryKey: ['invoice'] }),
    // With the amount due and the remaining credit.
    queryClient.invalidateQueries({ queryKey: ['cards'] }),
  ]);
}

/** Handles the live event that a subscription has changed. */
export function onSubscriptionEvent(id: string): void {
  // A first answer under way, or one for a screen that was left, is older than the event and would
  // count as fresh.
  void queryClient.cancelQueries({
    queryKey: ['subscription', id],
    predicate: query => query.state.data === undefined || !query.isActive(),
  });
  void refreshSubscription(id);
}
