import { parseMetadata, socketToken } from '@fixpoint/contract/metadata.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../../server/api.ts';
import { openLive } from '../../server/live.ts';
import { queryClient } from '../../server/query.ts';
import { refreshSubscription } from '../../shop/subscriptions.ts';
import type { OrderRecord } from './order-record.ts';
import { hasBegun, isOver, type OrderProgress } from './order-steps.ts';

const QUERY = 'orderProgress';
/** Polls often at first, when most orders finish, then rarely: a new host may take its time. */
const SOON_MS = 1000;
const LATER_MS = 10_000;
const SOON_COUNT = 20;

// A change of plan leaves the subscription running.
const isSettled = (order: OrderProgress | undefined) =>
  order !== undefined && (hasBegun(order) || isOver(order));

/**
 * Follows an order from payment to a usable subscription. Polls; the live connection only makes it
 * quicker. A guest's page waits for the email as well, which leads them on.
 */
export function useOrderProgress(record: OrderRecord | undefined, loggedIn: boolean) {
  const order = useQuery({
    queryKey: [QUERY, record?.metadata],
    queryFn: () => api.order.purchaseData({ body: { metadata: record!.metadata } }),
    enabled: record !== undefined,
    staleTime: 0,
    refetchInterval: ({ state }) => {
      if (isSettled(state.data) && (loggedIn || state.data?.emailed || isOver(state.data!))) return false;
      return state.dataUpdateCount < SOON_COUNT ? SOON_MS : LATER_MS;
    },
  });
  const { refetch } = order;
  const waits = record !== undefined && !isSettled(order.data);
  useEffect(() => {
    const parsed = record && parseMetadata(record.metadata);
    if (!waits || !parsed) return;
    const ask = () => void refetch();
    // Undefined once the order is delivered, when the socket's token expires. An open connection
    // still hears the subscription start.
    const token = () => {
      const known = queryClient.getQueryData<OrderProgress>([QUERY, record.metadata]);
      return known?.status === 'fulfilled' ? undefined : socketToken(parsed.reference);
    };
    const live = openLive(token, { STATUS: ask, SUBSCRIPTION: ask });
    return live.close;
  }, [waits, record, refetch]);
  const settled = isSettled(order.data) ? order.data?.subscription?.id : undefined;
  // The account's queries are older than the delivery and may have no live connection.
  useEffect(() => {
    if (settled) void refreshSubscription(settled);
  }, [settled]);
  return order;
}
