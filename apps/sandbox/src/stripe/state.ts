import type Stripe from 'stripe';
import type { Clock } from '../clock.ts';
import type { Ids } from '../ids.ts';
import type { Store, Table } from '../store.ts';
import type { TestCard } from './cards.ts';

/** The sandbox's internal data of a payment method's card. Never its number. */
export type CardSecret = {
  /** The test card's name, or `live` for a number that is no test card. */
  card: TestCard['name'] | 'live';
  /** The customer has authenticated it for later off-session payments. */
  setUp: boolean;
  /** Used once without a customer, so it may not be used again. */
  used: boolean;
};

/**
 * The last 3-D Secure question of an intent. The holder of `token` (in the page's address) may
 * answer.
 */
export type Authentication = {
  token: string;
  returnUrl: string | null;
  state: 'open' | 'completed' | 'failed';
  /** The payment method that it is about. */
  method: string;
};

/** An event at a given time of the sandbox's clock. */
export type Task = {
  id: string;
  /** Milliseconds since the epoch. */
  due: number;
  what: TaskKind;
};
export type TaskKind =
  | { kind: 'bookCharge'; charge: string }
  | { kind: 'openDispute'; charge: string; reason: string; inquiry: boolean }
  | { kind: 'settleRefund'; refund: string; outcome: 'succeeded' | 'failed' }
  | { kind: 'payOut'; payout: string }
  | { kind: 'lapse'; intent: string; token: string };

/** State of the sandbox's only Stripe account: its objects, clock and ids. */
export type StripeState = {
  store: Store;
  clock: Clock;
  ids: Ids;
  customers: Table<Stripe.Customer | Stripe.DeletedCustomer>;
  paymentMethods: Table<Stripe.PaymentMethod>;
  cards: Table<CardSecret>;
  intents: Table<Stripe.PaymentIntent>;
  setups: Table<Stripe.SetupIntent>;
  setupAttempts: Table<Stripe.SetupAttempt>;
  charges: Table<Stripe.Charge>;
  refunds: Table<Stripe.Refund>;
  disputes: Table<Stripe.Dispute>;
  balance: Table<Stripe.BalanceTransaction>;
  events: Table<Stripe.Event>;
  endpoints: Table<Stripe.WebhookEndpoint>;
  /** By the intent's id. */
  authentications: Table<Authentication>;
  tasks: Table<Task>;
  /** Days after which a payment can no longer be refunded, if limited. */
  refundWindow: Table<{ days: number }>;
  payouts: Table<Stripe.Payout>;
  /** Objects that a process of Stripe uses, until a time in ms since the epoch. */
  locks: Table<{ until: number }>;
  /** Settings of the account; `settlement`: the only currency of its balance. */
  settings: Table<{ currency: string }>;
  /** Creation time in ms since the epoch; 0 if it was before a restart. */
  creationTime(id: string): number;
  /** Address of the sandbox for browsers and the shop, e.g. `http://127.0.0.1:8081`. */
  origin: string;
  /** Hands a new event to the webhook queue. */
  onEvent(event: Stripe.Event): void;
  /** Starts the timer for a new task. */
  onTask(task: Task): void;
};

/** Origin of a change, included in its event (`event.request`). */
export type Cause = { request: string | null; idempotencyKey: string | null };

/** A change without a request: time, the customer's bank, the control interface. */
export const noRequest: Cause = { request: null, idempotencyKey: null };

/** Opens the account over the store's tables. */
export function createStripeState(
  store: Store,
  clock: Clock,
  ids: Ids,
  on: Pick<StripeState, 'onEvent' | 'onTask' | 'origin'>,
): StripeState {
  const creationTimes = new Map<string, number>();
  const objects = <T>(name: string): Table<T> => {
    const rows = store.table<T>(name);
    return {
      ...rows,
      put: (id, value) => {
        if (!rows.get(id)) creationTimes.set(id, clock.now());
        return rows.put(id, value);
      },
    };
  };
  return {
    store,
    clock,
    ids,
    creationTime: id => creationTimes.get(id) ?? 0,
    customers: objects('customers'),
    paymentMethods: objects('paymentMethods'),
    cards: store.table('cards'),
    intents: objects('intents'),
    setups: objects('setups'),
    setupAttempts: store.table('setupAttempts'),
    charges: objects('charges'),
    refunds: objects('refunds'),
    disputes: objects('disputes'),
    balance: objects('balance'),
    events: objects('events'),
    endpoints: objects('endpoints'),
    authentications: store.table('authentications'),
    tasks: store.table('tasks'),
    refundWindow: store.table('refundWindow'),
    payouts: objects('payouts'),
    locks: store.table('locks'),
    settings: store.table('accountSettings'),
    ...on,
  };
}

/** Version of every event and answer: that of the installed SDK (a test compares them). */
export const API_VERSION = '2026-10-28.endive';

/** Records an event and sends it to the webhook endpoints. `object` is the state after it. */
export function emit(
  state: StripeState,
  cause: Cause,
  type: Stripe.Event.Type,
  object: object,
  previous?: object,
): void {
  const id = state.ids.next('evt_');
  const event = {
    id,
    object: 'event',
    api_version: API_VERSION,
    created: state.clock.seconds(),
    data: { object, ...(previous && { previous_attributes: previous }) },
    livemode: false,
    pending_webhooks: state.endpoints.all().length,
    request: { id: cause.request, idempotency_key: cause.idempotencyKey },
    type,
  } satisfies Stripe.EventBase;
  state.events.put(id, event as Stripe.Event);
  state.onEvent(event as Stripe.Event);
}

/** Members of `before` that differ in `after`, as `previous_attributes` shows them. */
export function changes<T extends object>(before: T, after: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(before).filter(([name, value]) => {
      return JSON.stringify(value) !== JSON.stringify(after[name as keyof T]);
    }),
  ) as Partial<T>;
}

/** Schedules a task `delayMs` from now. */
export function later(state: StripeState, delayMs: number, what: TaskKind): void {
  const task = { id: state.ids.next('task_'), due: state.clock.now() + delayMs, what };
  state.tasks.put(task.id, task);
  state.onTask(task);
}
