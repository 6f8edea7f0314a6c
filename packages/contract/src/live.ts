import { z } from 'zod';

/** Live socket (W33, W49): path `/soc/socket.io/`, `?token=` an order's token or an access token. */
export const SOCKET_PATH = '/soc/socket.io/';
/** The client asks for the state of its order this often. */
export const ORDER_POLL_MS = 5000;

export const orderCheckAnswer = z.enum(['success', 'fail', 'pending']);
export type OrderCheckAnswer = z.infer<typeof orderCheckAnswer>;

export const notificationMessages = ['SUBSCRIPTION_CREATE', 'CREATE_KEY', 'DELETE_KEY'] as const;
/** NOTIFICATION: shown as a snack with the event's status and code. Carries no personal data (S52). */
export type Notification = {
  message: (typeof notificationMessages)[number];
  status: 'success' | 'error' | 'warning' | 'info';
  code: string;
};
/** STATUS: the order's state moved; the order page goes to success when it is paid. */
export type OrderStatusEvent = { status: OrderStatus };
/** SUBSCRIPTION: fetch the list again, and the detail of this subscription. */
export type SubscriptionEvent = { event: 'fetch' | 'detailFetch'; id: string };

/** MAINTENANCE: buying was blocked or allowed again; every open page hears it. */
export const shopStatuses = ['NORMAL', 'MAINTENANCE'] as const;
export type ShopStatus = (typeof shopStatuses)[number];

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

export type ServerEvents = {
  orderCheck: (answer: OrderCheckAnswer) => void;
  NOTIFICATION: (event: Notification) => void;
  STATUS: (event: OrderStatusEvent) => void;
  SUBSCRIPTION: (event: SubscriptionEvent) => void;
  MAINTENANCE: (status: ShopStatus) => void;
};
export type ClientEvents = {
  ping: () => void;
  /** The order check value of the metadata. */
  orderCheck: (check: string) => void;
};
