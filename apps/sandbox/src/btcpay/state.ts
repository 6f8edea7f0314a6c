import type { Clock } from '../clock.ts';
import type { Ids } from '../ids.ts';
import type { Schedule } from '../schedule.ts';
import type { Store, Table } from '../store.ts';

/** Transaction to an invoice's address. `Invalid`: another transaction spent the same coins. */
export type Payment = {
  id: string;
  satoshi: number;
  /** Seconds since the epoch, as all times here. */
  receivedAt: number;
  status: 'Processing' | 'Settled' | 'Invalid';
};

export type InvoiceStatus = 'New' | 'Processing' | 'Expired' | 'Invalid' | 'Settled';
export type AdditionalStatus = 'None' | 'PaidLate' | 'PaidPartial' | 'Marked' | 'PaidOver';

export type Invoice = {
  id: string;
  createdAt: number;
  expiresAt: number;
  monitoredUntil: number;
  /** In the minor unit of its currency; the rate is the price of a bitcoin in it. */
  price: number;
  currency: string;
  rate: number;
  metadata: Record<string, unknown>;
  checkout: Record<string, unknown>;
  address: string;
  status: InvoiceStatus;
  additionalStatus: AdditionalStatus;
  payments: Payment[];
};

export type Payout = {
  id: string;
  destination: string;
  amount: number;
  createdAt: number;
  state: 'AwaitingApproval' | 'AwaitingPayment' | 'InProgress' | 'Completed' | 'Cancelled';
};

/** Money that the holder of its link may claim to an own address. */
export type PullPayment = {
  id: string;
  invoice: string;
  name: string;
  description: string;
  /** In the minor unit of its currency. */
  amount: number;
  currency: string;
  createdAt: number;
  archived: boolean;
  payouts: Payout[];
};

/** Event. `told`: the webhook's payload without the members that every delivery has. */
export type BtcpayEvent = { id: string; at: number; told: EventPayload /** At least once. */; sent: boolean };
type EventPayload = { type: string; [member: string]: unknown };

/** State of the sandbox's only BTCPay store. */
export type BtcpayState = {
  clock: Clock;
  ids: Ids;
  schedule: Schedule;
  storeId: string;
  invoices: Table<Invoice>;
  pullPayments: Table<PullPayment>;
  events: Table<BtcpayEvent>;
  /** Price of a bitcoin in the minor unit of a currency. */
  rates: Table<number>;
  /** Rights of the shop's key, once changed. */
  rights: Table<string[]>;
  /** Address of the sandbox for browsers and the shop. */
  origin(): string;
  /** Hands a new event to the webhook queue. */
  onEvent(id: string): void;
};

/** Default price of a bitcoin, in whole units. */
const USUAL_RATES: Record<string, number> = {
  THB: 2_345_678,
  USD: 67_890,
  EUR: 61_234,
  JPY: 10_456_789,
};

/** @returns undefined for a currency without a rate */
export const rateOf = (state: BtcpayState, currency: string): number | undefined =>
  state.rates.get(currency) ?? (USUAL_RATES[currency] && USUAL_RATES[currency] * 100);

export function createBtcpayState(
  store: Store,
  parts: Pick<BtcpayState, 'clock' | 'ids' | 'schedule' | 'storeId' | 'origin' | 'onEvent'>,
): BtcpayState {
  return {
    ...parts,
    invoices: store.table('btcpay.invoices'),
    pullPayments: store.table('btcpay.pullPayments'),
    events: store.table('btcpay.events'),
    rates: store.table('btcpay.rates'),
    rights: store.table('btcpay.rights'),
  };
}

/** Records an event and sends it to the shop. */
export function emit(state: BtcpayState, told: EventPayload): void {
  const id = state.ids.next('', 27);
  state.events.put(id, { id, at: state.clock.seconds(), told, sent: false });
  state.onEvent(id);
}
