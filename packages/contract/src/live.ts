import { z } from 'zod';
import { shopStatuses } from './shop-status.ts';

/** Live socket: path `/soc/socket.io/`, `?token=` an order's token or an access token. */
export const SOCKET_PATH = '/soc/socket.io/';
/** Interval at which the client asks for the state of its order. */
export const ORDER_POLL_MS = 5000;

export const orderCheckAnswer = z.enum(['success', 'fail', 'pending']);
export type OrderCheckAnswer = z.infer<typeof orderCheckAnswer>;

const notificationMessages = ['SUBSCRIPTION_CREATE', 'CREATE_KEY', 'DELETE_KEY'] as const;

export const orderStatuses = [
  'draft',
  'awaitingPayment',
  'paid',
  'fulfilled',
  'failed',
  'expired',
  'refunded',
] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** Events that the server pushes to open pages. Payloads carry states and ids only (S52). */
export const liveEvents = {
  /** Shown as a snack with the event's status and code. */
  NOTIFICATION: z.object({
    message: z.enum(notificationMessages),
    status: z.enum(['success', 'error', 'warning', 'info']),
    code: z.string(),
  }),
  /** State of the order; the order page opens the success page when it is paid. */
  STATUS: z.object({ status: z.enum(orderStatuses) }),
  /** Fetch the list, or the detail of this subscription, again. */
  SUBSCRIPTION: z.object({ event: z.enum(['fetch', 'detailFetch']), id: z.string() }),
  MAINTENANCE: z.enum(shopStatuses),
};
export type LiveEvent = keyof typeof liveEvents;
export type LivePayload<E extends LiveEvent> = z.infer<(typeof liveEvents)[E]>;
export type Notification = LivePayload<'NOTIFICATION'>;

export type ServerEvents = { orderCheck: (answer: OrderCheckAnswer) => void } & {
  [E in LiveEvent]: (payload: LivePayload<E>) => void;
};
export type ClientEvents = {
  ping: () => void;
  /** The order check value of the metadata. */
  orderCheck: (check: string) => void;
};
