import type { Clock } from '../clock.ts';
import type { Ids } from '../ids.ts';
import type { Schedule } from '../schedule.ts';
import type { Store, Table } from '../store.ts';
import type { RefundIssue } from './refund-issues.ts';
import type { Dispute, Event, Order, PaymentToken } from './wire.ts';

/** The buyer's choice on the approval page. PayPal evaluates it at the capture. */
export type Funding = 'balance' | 'refusedCard' | 'bank';

/** The sandbox's internal data of an order. */
export type Approval = {
  order: string;
  returnUrl: string;
  cancelUrl: string;
  /** Whether consent to later charges was requested. */
  keeps: boolean;
  funding?: Funding;
};

/**
 * Movement of the account's balance, in the smallest unit of its currency. `net`: after fees,
 * negative when outgoing.
 */
export type Movement = {
  source: string;
  kind: 'capture' | 'refund' | 'refundReturned' | 'reversal' | 'held' | 'heldReturned' | 'disputeFee';
  currency: string;
  gross: number;
  fee: number;
  net: number;
  at: number;
};

/** State of the sandbox's only PayPal account. */
export type PaypalState = {
  store: Store;
  clock: Clock;
  ids: Ids;
  schedule: Schedule;
  orders: Table<Order>;
  approvals: Table<Approval>;
  /** Order id by capture or refund id. */
  orderOf: Table<string>;
  tokens: Table<PaymentToken>;
  movements: Table<Movement>;
  disputes: Table<Dispute>;
  /** By the capture's id: why its refunds are refused, if the control interface says so. */
  refusals: Table<RefundIssue>;
  /** Reversal of a lost dispute, by the dispute's id. */
  reversalOf: Table<string>;
  events: Table<Event>;
  settings: Table<number>;
  /** The only webhook of the app. */
  webhook: { id: string; url: string };
  /** Creation time in ms since the epoch; 0 if it was before a restart. */
  creationTime(id: string): number;
  /** Address of the sandbox for browsers and the shop. */
  origin(): string;
  /** Hands a new event to the webhook queue. */
  onEvent(id: string): void;
};

export function createPaypalState(
  from: Pick<PaypalState, 'store' | 'clock' | 'ids' | 'schedule' | 'webhook' | 'origin' | 'onEvent'>,
): PaypalState {
  const { store, clock } = from;
  const creationTimes = new Map<string, number>();
  const orderOf = store.table<string>('paypal.orderOf');
  return {
    ...from,
    orders: store.table('paypal.orders'),
    approvals: store.table('paypal.approvals'),
    orderOf: {
      ...orderOf,
      put(id, order) {
        creationTimes.set(id, clock.now());
        return orderOf.put(id, order);
      },
    },
    tokens: store.table('paypal.tokens'),
    movements: store.table('paypal.movements'),
    disputes: store.table('paypal.disputes'),
    refusals: store.table('paypal.refusals'),
    reversalOf: store.table('paypal.reversalOf'),
    events: store.table('paypal.events'),
    settings: store.table('paypal.settings'),
    creationTime: id => creationTimes.get(id) ?? 0,
  };
}

/** Id in PayPal's form: 17 capital letters and digits. */
export const newId = ({ ids }: PaypalState): string => ids.next('', 17).toUpperCase();

/** Time in PayPal's form. */
export const timeOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** Records an event and sends it to the shop. `resource` is the state after it. */
export function emit(
  state: PaypalState,
  event: Pick<Event, 'event_type' | 'resource_type' | 'summary' | 'resource'>,
): void {
  const id = `WH-${newId(state)}-${newId(state)}`;
  const self = `${state.origin()}/v1/notifications/webhooks-events/${id}`;
  state.events.put(id, {
    id,
    event_version: '1.0',
    create_time: new Date(state.clock.now()).toISOString(),
    resource_version: '2.0',
    ...event,
    links: [
      { href: self, rel: 'self', method: 'GET' },
      { href: `${self}/resend`, rel: 'resend', method: 'POST' },
    ],
  });
  state.onEvent(id);
}
