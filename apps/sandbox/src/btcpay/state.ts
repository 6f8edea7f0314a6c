import type { Clock } from '../clock.ts';
import type { Ids } from '../ids.ts';
import type { Schedule } from '../schedule.ts';
import type { Store, Table } from '../store.ts';

/** A transaction that pays an invoice's address. `Invalid`: another one spent the same coins. */
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
  /** In the minor unit of its currency; the rate is what a bitcoin costs in it. */
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

/** Money that whoever has its link may claim to an address of his. */
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

/** Something that happened. `told`: what a webhook says of it, beside what every delivery carries. */
export type BtcpayEvent = { id: string; at: number; told: EventPayload /** At least once. */; sent: boolean };
type EventPayload = { type: string; [member: string]: unknown };

/** The one store of a BTCPay Server that the sandbox plays. */
export type BtcpayState = {
  clock: Clock;
  ids: Ids;
  schedule: Schedule;
  storeId: string;
  invoices: Table<Invoice>;
  pullPayments: Table<PullPayment>;
  events: Table<BtcpayEvent>;
  /** What a bitcoin costs now, in the minor unit of a currency. */
  rates: Table<number>;
  /** What the shop's key may, once somebody has changed it. */
  rights: Table<string[]>;
  /** Where browsers and the shop reach the sandbox. */
  origin(): string;
  /** Hands a new event to the webhook queue. */
  onEvent(id: string): void;
};

/** What a bitcoin costs as long as nobody says otherwise, in whole units. */
const USUAL_RATES: Record<string, number> = {
  THB: 2_345_678,
  USD: 67_890,
  EUR: 61_234,
  JPY: 10_456_789,
};

/** @returns undefined for a currency that no rate is known of */
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

/** Records that something happened, and sends it to the shop. */
export function emit(state: BtcpayState, told: EventPayload): void {
  const id = state.ids.next('', 27);
  state.events.put(id, { id, at: state.clock.seconds(), told, sent: false });
  state.onEvent(id);
}
