import type { allowListCalls } from '@fixpoint/contract/calls/allow-list.ts';
import type { DataOf } from '@fixpoint/contract/endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { api } from '../server/api.ts';
import { config } from '../server/config.ts';
import { queryClient } from '../server/query.ts';

export type AllowList = DataOf<(typeof allowListCalls)['addresses']>;
export type AllowedAddress = AllowList['items'][number];

/** Below the key of the lists of subscriptions, which is fetched again when one changes. */
const QUERY = ['subscriptions', 'addresses'];

/** Addresses of the customer's subscriptions, and the URL by which firewalls read them. */
export const useAllowList = () => useQuery({ queryKey: QUERY, queryFn: () => api.allowList.addresses({}) });

export const refreshAllowList = () => queryClient.invalidateQueries({ queryKey: QUERY });

/** The list of a path at the shop's public address, which firewalls reach. */
export const allowListUrl = (path: string, format: 'txt' | 'json'): string =>
  new URL(`${config().API_URL}${path}.${format}`, config().SHOP_ORIGINS[0]).href;

/** One address or prefix per line, as the URL serves them. */
export const asLines = (items: readonly AllowedAddress[]): string =>
  items
    .flatMap(({ address, ipv6 }) => (ipv6 ? [address, ipv6] : [address]))
    .map(line => `${line}\n`)
    .join('');
