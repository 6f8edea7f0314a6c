import type { subscriptionCalls } from '@fixpoint/contract/calls/subscription.ts';
import type { DataOf } from '@fixpoint/contract/endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../server/api.ts';

export type Check = DataOf<(typeof subscriptionCalls)['diagnose']>['checks'][number];

/** So often, and for so long, the host is asked while somebody tries to connect. */
const WATCH = { everyMs: 5_000, forMs: 60_000 } as const;

/** What is in the way of a subscription's VPN: asked when somebody wants to know, then watched for a minute. */
export function useDiagnosis(id: string) {
  const [until, setUntil] = useState(0);
  const asked = until > 0;
  const query = useQuery({
    queryKey: ['diagnosis', id, until],
    queryFn: () => api.subscription.diagnose({ body: { id, deviceTime: new Date().toISOString() } }),
    enabled: asked,
    // What a host has seen is of this moment: it is not kept here either.
    staleTime: 0,
    gcTime: 0,
    placeholderData: before => before,
    refetchInterval: ({ state }) => (state.error || Date.now() > until ? false : WATCH.everyMs),
  });
  return {
    checks: asked ? query.data?.checks : undefined,
    watching: asked && query.data !== undefined && !query.error && query.dataUpdatedAt < until,
    busy: asked && query.isFetching,
    error: query.error,
    look: () => setUntil(Date.now() + WATCH.forMs),
  };
}
