import type { subscriptionCalls } from '@fixpoint/contract/calls/subscription.ts';
import type { DataOf } from '@fixpoint/contract/endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../server/api.ts';

export type Check = DataOf<(typeof subscriptionCalls)['diagnose']>['checks'][number];

/** Polling of the host while the customer tries to connect. */
const WATCH = { everyMs: 5_000, forMs: 60_000 } as const;

/** A device is connected and no check failed, so there is nothing to watch. */
const worksFully = (checks: readonly Check[] = []): boolean =>
  checks.some(({ check, verdict }) => check === 'seen' && verdict === 'good') &&
  checks.every(({ verdict }) => verdict !== 'bad');

/**
 * Diagnosis of a subscription's VPN: runs on request, then polls for a minute or until it works.
 */
export function useDiagnosis(id: string) {
  const [until, setUntil] = useState(0);
  const asked = until > 0;
  const query = useQuery({
    queryKey: ['diagnosis', id, until],
    queryFn: () => api.subscription.diagnose({ body: { id, deviceTime: new Date().toISOString() } }),
    enabled: asked,
    // Live state of the host, never cached.
    staleTime: 0,
    gcTime: 0,
    placeholderData: before => before,
    refetchInterval: ({ state }) =>
      state.error || worksFully(state.data?.checks) || Date.now() > until ? false : WATCH.everyMs,
  });
  const checks = asked ? query.data?.checks : undefined;
  const works = worksFully(checks);
  return {
    checks,
    works,
    watching: checks !== undefined && !works && !query.error && query.dataUpdatedAt < until,
    busy: asked && query.isFetching,
    error: query.error,
    start: () => setUntil(Date.now() + WATCH.forMs),
  };
}
