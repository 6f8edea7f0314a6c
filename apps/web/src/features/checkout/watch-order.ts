import type { OrderCheckAnswer, OrderStatus } from '@fixpoint/contract/live.ts';
import { parseMetadata, socketToken } from '@fixpoint/contract/metadata.ts';
import type { Live, LiveHandlers } from '../../server/live.ts';

type Options = {
  metadata: string;
  open: (token: () => string, handlers: LiveHandlers) => Live;
  /** Reads the status over HTTP while there is no live connection. */
  readStatus: () => Promise<OrderStatus>;
  onOutcome: (outcome: 'success' | 'fail') => void;
  /** Whether `fail` ends the watch; until then it may be about an earlier payment. Default: always. */
  believesFail?: () => boolean;
  /** Called for every STATUS event. */
  onStatus?: () => void;
  /** Called for an update that has no outcome yet. */
  onUpdate?: () => void;
  pollMs: number;
};

/** Time for the live connection before HTTP is used, ms. */
const CONNECT_MS = 3000;

/** What an order's status means to a customer who waits for the payment. */
export function outcomeOf(status: OrderStatus): OrderCheckAnswer {
  if (status === 'paid' || status === 'fulfilled') return 'success';
  return status === 'failed' || status === 'expired' || status === 'refunded' ? 'fail' : 'pending';
}

/**
 * Waits from the press on Pay until an order is paid or has failed. Polls every 5 seconds, over the live connection if
 * there is one, else over HTTP. Calls `onOutcome` once.
 * @returns stops waiting
 */
export function watchOrder(options: Options): () => void {
  const { metadata, open, readStatus, onOutcome, onUpdate, pollMs, believesFail = () => true } = options;
  const order = parseMetadata(metadata);
  if (!order) return () => undefined;
  let connected = false;
  let over = false;

  const stop = () => {
    over = true;
    clearInterval(poll);
    clearTimeout(connectTimeout);
    live.close();
  };
  const settle = (answer: OrderCheckAnswer) => {
    if (over || answer === 'pending' || (answer === 'fail' && !believesFail())) return;
    stop();
    onOutcome(answer);
  };
  const ask = () => {
    if (connected) live.orderCheck(order.check);
    else
      readStatus().then(
        status => settle(outcomeOf(status)),
        () => undefined,
      );
  };

  const live = open(() => socketToken(order.reference), {
    connect: () => {
      connected = true;
      ask();
    },
    disconnect: () => {
      connected = false;
    },
    orderCheck: answer => settle(answer.toLowerCase() as OrderCheckAnswer),
    STATUS: event => {
      options.onStatus?.();
      settle(outcomeOf(event.status));
      if (!over) onUpdate?.();
    },
  });
  const poll = setInterval(ask, pollMs);
  const connectTimeout = setTimeout(() => !connected && ask(), CONNECT_MS);
  return stop;
}
