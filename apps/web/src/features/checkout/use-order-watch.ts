import { ORDER_POLL_MS } from 'virtual:calls';
import { useEffect, useState } from 'react';
import { api } from '../../server/api.ts';
import { openLive } from '../../server/live.ts';
import type { PayOutcome } from './pay.ts';
import { outcomeOf, watchOrder } from './watch-order.ts';

type Handlers = {
  /** Whether a failure is about this payment, and not about one before. */
  believesFail: () => boolean;
  /** An event said that something happened to the order. */
  onStatus: () => void;
  onUpdate: () => void;
  onSuccess: () => void;
  onFail: (outcome: Extract<PayOutcome, { kind: 'declined' | 'closed' }>) => void;
};

/**
 * Follows an order over the live connection while `metadata` is given. A failure is looked up first:
 * an answer may be about an earlier attempt.
 */
export function useOrderWatch(metadata: string | undefined, handlers: Handlers): void {
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: one watch per order and waiting period
  useEffect(() => {
    if (!metadata) return;
    let disposed = false;
    const read = () => api.order.purchaseData({ body: { metadata } });
    const stop = watchOrder({
      metadata,
      open: openLive,
      readStatus: async () => (await read()).status,
      pollMs: ORDER_POLL_MS,
      believesFail: handlers.believesFail,
      onStatus: handlers.onStatus,
      onUpdate: handlers.onUpdate,
      onOutcome: async outcome => {
        if (outcome === 'success') return handlers.onSuccess();
        const state = await read().catch(() => undefined);
        if (disposed) return;
        if (state && outcomeOf(state.status) === 'success') return handlers.onSuccess();
        // Another attempt has begun meanwhile.
        if (state && outcomeOf(state.status) === 'pending') return setRound(round + 1);
        handlers.onFail(
          state?.status === 'expired' || state?.status === 'refunded'
            ? { kind: 'closed', status: state.status }
            : { kind: 'declined', code: state?.failure ?? '2002' },
        );
      },
    });
    return () => {
      disposed = true;
      stop();
    };
  }, [metadata, round]);
}
