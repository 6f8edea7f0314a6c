import { canMove, type Transitions } from '../kernel/machine.ts';

export type OrderStatus =
  | 'draft'
  | 'awaitingPayment'
  | 'paid'
  | 'fulfilled'
  | 'failed'
  | 'expired'
  | 'refunded';

export const orderTransitions = {
  draft: ['awaitingPayment', 'expired'],
  awaitingPayment: ['paid', 'failed', 'expired'],
  failed: ['awaitingPayment', 'paid', 'expired'],
  paid: ['fulfilled', 'refunded'],
  fulfilled: ['refunded'],
  // Late money settles an expired order rather than being lost.
  expired: ['paid'],
  refunded: [],
} as const satisfies Transitions<OrderStatus>;

/** Hours in which an order can be paid; afterwards it expires together with its token. */
export const ORDER_LIFETIME_HOURS = 24;

/** Coins pay an order this long after it has expired; later ones become credit. */
export const LATE_COINS_MS = 2 * 24 * 60 * 60_000;

export type OrderCommand = 'submit' | 'paymentSucceeded' | 'paymentFailed' | 'fulfil' | 'expire' | 'refund';
export type OrderRefusal = 'orderClosed';

const target: Record<OrderCommand, OrderStatus> = {
  submit: 'awaitingPayment',
  paymentSucceeded: 'paid',
  paymentFailed: 'failed',
  fulfil: 'fulfilled',
  expire: 'expired',
  refund: 'refunded',
};

/**
 * The state after a command. A repeated command changes nothing, because every step of a purchase
 * may run again after a crash.
 */
export function decideOrder(
  status: OrderStatus,
  command: OrderCommand,
): { ok: true; next: OrderStatus; changed: boolean } | { ok: false; refusal: OrderRefusal } {
  const next = target[command];
  if (status === next) return { ok: true, next, changed: false };
  if (command === 'paymentSucceeded' && (status === 'fulfilled' || status === 'refunded')) {
    return { ok: true, next: status, changed: false };
  }
  if (canMove<OrderStatus>(orderTransitions, status, next)) return { ok: true, next, changed: true };
  return { ok: false, refusal: 'orderClosed' };
}

/** Whether an order is final: its token does not work any more. */
export const isOver = (status: OrderStatus): boolean =>
  status === 'fulfilled' || status === 'expired' || status === 'refunded';

/** Answer of `orderCheck`. */
export function orderCheckAnswer(status: OrderStatus): 'success' | 'fail' | 'pending' {
  if (status === 'paid' || status === 'fulfilled') return 'success';
  return status === 'failed' || status === 'expired' ? 'fail' : 'pending';
}
