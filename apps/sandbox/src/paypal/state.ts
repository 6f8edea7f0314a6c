import type { Clock } from '../clock.ts';
import type { Ids } from '../ids.ts';
import type { Schedule } from '../schedule.ts';
import type { Store, Table } from '../store.ts';
import type { Dispute, Event, Order, PaymentToken } from './wire.ts';

/** What the buyer chose on the approval page. PayPal finds out what it is worth when the money is taken. */
export type Funding = 'balance' | 'refusedCard' | 'bank';

/** What the sandbox knows of an order and PayPal does not tell. */
export type Approval = {
  order: string;
  returnUrl: string;
  cancelUrl: string;
  /** The buyer's consent to be charged again was asked for. */
  keeps: boolean;
  funding?: Funding;
};

/** Money that moved the account's balance, in the smallest unit of its currency. `net`: after fees, below 0 when it left. */
export type Movement = {
  source: string;
  kind: 'capture' | 'refund' | 'refundReturned' | 'reversal' | 'held' | 'heldReturned' | 'disputeFee';
  currency: string;
  gross: number;
  fee: number;
  net: number;
  at: number;
};

/** The one PayPal account that the sandbox plays. */
export type PaypalState = {
  store: Store;
  clock: Clock;
  ids: Ids;
  schedule: Schedule;
  orders: Table<Order>;
  approvals: Table<Approval>;
  /** The order of each capture and refund, by its id. */
  orderOf: Table<string>;
  tokens: Table<PaymentToken>;
  movements: Table<Movement>;
  disputes: Table<Dispute>;
  /** By which reversal a lost dispute's money has gone, by the dispute's id. */
  reversalOf: Table<string>;
  events: Table<Event>;
  settings: Table<number>;
  /** The one webhook of the app. */
  webhook: { id: string; url: string };
  /** When something was made, in ms since the epoch; 0 if that was before a restart. */
  creationTime(id: string): number;
  /** Where browsers and the shop reach the sandbox. */
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
    reversalOf: store.table('paypal.reversalOf'),
    events: store.table('paypal.events'),
    settings: store.table('paypal.settings'),
    creationTime: id => creationTimes.get(id) ?? 0,
  };
}

/** An id as PayPal makes them: 17 letters and digits, all of them capital. */
export const newId = ({ ids }: PaypalState): string => ids.next('', 17).toUpperCase();

/** A moment as PayPal writes it. */
export const timeOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** Records that something happened, and sends it to the shop. `resource` is the state after it. */
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
