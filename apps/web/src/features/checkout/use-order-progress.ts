import { parseMetadata, socketToken } from '@fixpoint/contract/metadata.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../../server/api.ts';
import { openLive } from '../../server/live.ts';
import { queryClient } from '../../server/query.ts';
import { refreshSubscription } from '../../shop/subscriptions.ts';
import type { OrderRecord } from './order-record.ts';
import { hasBegun, isOver, type OrderProgress } from './steps-of.ts';

const QUERY = 'orderProgress';
/** Often while most orders finish, then seldom: a server in preparation may take its time. */
const SOON_MS = 1000;
const LATER_MS = 10_000;
const SOON_COUNT = 20;

// A subscription that gets another plan runs all the time.
const isSettled = (order: OrderProgress | undefined) =>
  order !== undefined && (hasBegun(order) || isOver(order));

/** The order on its way from paid to a subscription that can be used; the live connection only makes it quicker. */
export function useOrderProgress(record: OrderRecord | undefined) {
  const order = useQuery({
    queryKey: [QUERY, record?.metadata],
    queryFn: () => api.order.purchaseData({ body: { metadata: record!.metadata } }),
    enabled: record !== undefined,
    staleTime: 0,
    refetchInterval: ({ state }) => {
      if (isSettled(state.data)) return false;
      return state.dataUpdateCount < SOON_COUNT ? SOON_MS : LATER_MS;
    },
  });
  const { refetch } = order;
  const waits = record !== undefined && !isSettled(order.data);
  useEffect(() => {
    const parsed = record && parseMetadata(record.metadata);
    if (!waits || !parsed) return;
    const ask = () => void refetch();
    // It ends with the delivery of the order; a connection that is open then hears the subscription begin.
    const token = () => {
      const known = queryClient.getQueryData<OrderProgress>([QUERY, record.metadata]);
      return known?.status === 'fulfilled' ? undefined : socketToken(parsed.reference);
    };
    const live = openLive(token, { STATUS: ask, SUBSCRIPTION: ask });
    return live.close;
  }, [waits, record, refetch]);
  const settled = isSettled(order.data) ? order.data?.subscription?.id : undefined;
  // What the account's screens know is from before that; they need no live connection to hear of it.
  useEffect(() => {
    if (settled) void refreshSubscription(settled);
  }, [settled]);
  return order;
}
