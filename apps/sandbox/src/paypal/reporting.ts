import { z } from 'zod';
import { findCapture } from './captures.ts';
import { findDispute } from './disputes.ts';
import { malformed } from './errors.ts';
import { moneyOf } from './money.ts';
import { findRefund } from './refunds.ts';
import { type Movement, type PaypalState, timeOf } from './state.ts';
import type { TransactionDetails } from './wire.ts';

const DAY_MS = 86_400_000;
const LONGEST_DAYS = 31;
/** How far back transactions are listed. */
const REACH_MS = 3 * 365 * DAY_MS;
const ACCOUNT = 'SHQPSANDBX234';

const moment = z.iso.datetime({ offset: true }).transform(text => Date.parse(text));
const searchQuery = z.object({
  start_date: moment,
  end_date: moment,
  page_size: z.coerce.number().int().min(1).max(500).default(100),
  page: z.coerce.number().int().min(1).default(1),
});

/** PayPal's transaction event code of each kind of movement. */
const CODES: Record<Movement['kind'], string> = {
  capture: 'T0006',
  refund: 'T1107',
  refundReturned: 'T1107',
  reversal: 'T1106',
  held: 'T1110',
  heldReturned: 'T1111',
  disputeFee: 'T0106',
};

/**
 * `GET /v1/reporting/transactions`: movements of the balance, oldest first. At PayPal a movement is
 * listed after up to three hours (`REPORT_LAG`).
 * @throws PaypalRefusal
 */
export function transactionsOf(state: PaypalState, query: Record<string, string | undefined>): object {
  const read = searchQuery.safeParse(query);
  if (!read.success || read.data.end_date - read.data.start_date > LONGEST_DAYS * DAY_MS) {
    throw malformed([
      { field: 'end_date', issue: 'INVALID_DATE_RANGE', description: 'Date range is greater than 31 days' },
    ]);
  }
  const { start_date, end_date, page, page_size } = read.data;
  if (start_date < state.clock.now() - REACH_MS) {
    throw malformed([
      { field: 'start_date', issue: 'INVALID_START_DATE', description: 'Start date is too long ago' },
    ]);
  }
  const refreshed = state.clock.now() - (state.settings.get(REPORT_LAG) ?? 0);
  const returned = new Set(
    state.movements.all().flatMap(({ kind, source }) => (kind === 'refundReturned' ? [source] : [])),
  );
  const found = state.movements
    .all()
    // A returned movement has no line of its own; it changes the state of the original.
    .filter(
      ({ kind, at }) => kind !== 'refundReturned' && at >= start_date && at <= end_date && at <= refreshed,
    );
  return {
    transaction_details: found
      .slice((page - 1) * page_size, page * page_size)
      .map(movement => detailsOf(state, movement, returned.has(movement.source))),
    account_number: ACCOUNT,
    start_date: timeOf(start_date),
    end_date: timeOf(end_date),
    last_refreshed_datetime: timeOf(refreshed),
    page,
    total_items: found.length,
    total_pages: Math.ceil(found.length / page_size),
    links: [],
  };
}

/** PayPal's times have no fractions of a second. */
const secondOf = (ms: number): number => Math.floor(ms / 1_000);

const balancesQuery = z.object({ as_of_time: moment.optional() });

/**
 * `GET /v1/reporting/balances`: the balance by currency, now or at a moment.
 * @throws PaypalRefusal
 */
export function balancesOf(state: PaypalState, query: Record<string, string | undefined>): object {
  const read = balancesQuery.safeParse(query);
  if (!read.success) {
    throw malformed([
      { field: 'as_of_time', issue: 'INVALID_PARAMETER_VALUE', description: 'As of time is invalid' },
    ]);
  }
  const at = read.data.as_of_time ?? state.clock.now();
  const now = timeOf(state.clock.now());
  const sums = new Map<string, number>();
  for (const movement of state.movements.all()) {
    if (secondOf(movement.at) <= secondOf(at))
      sums.set(movement.currency, (sums.get(movement.currency) ?? 0) + movement.net);
  }
  return {
    balances: [...sums].map(([currency, units], i) => {
      const money = moneyOf({ currency, units });
      const withheld_balance = moneyOf({ currency, units: 0 });
      return { currency, primary: i === 0, total_balance: money, available_balance: money, withheld_balance };
    }),
    account_id: ACCOUNT,
    as_of_time: timeOf(at),
    last_refresh_time: now,
  };
}

/** Setting: delay in ms until a movement is listed. */
export const REPORT_LAG = 'reportLag';

function detailsOf(state: PaypalState, movement: Movement, undone: boolean): TransactionDetails {
  const { source, kind, currency, gross, fee, at } = movement;
  const money = (units: number) => moneyOf({ currency, units });
  const { custom_id, invoice_id, reference } = about(state, movement);
  return {
    transaction_info: {
      // A transaction id has only letters and digits; a dispute's has more.
      transaction_id: source.replaceAll(/[^A-Z0-9]/gi, ''),
      ...(reference && { paypal_reference_id: reference, paypal_reference_id_type: 'TXN' }),
      transaction_event_code: CODES[kind],
      transaction_initiation_date: timeOf(at),
      transaction_updated_date: timeOf(at),
      transaction_amount: money(gross),
      ...(fee !== 0 && { fee_amount: money(-fee) }),
      transaction_status: undone ? 'V' : 'S',
      ...(invoice_id && { invoice_id }),
      ...(custom_id && { custom_field: custom_id }),
    },
  };
}

/** References of a movement, and the payment that it belongs to. */
function about(
  state: PaypalState,
  { source, kind }: Movement,
): { custom_id?: string | undefined; invoice_id?: string | undefined; reference?: string | undefined } {
  if (kind === 'capture') return findCapture(state, source).capture;
  if (kind === 'held' || kind === 'heldReturned' || kind === 'disputeFee') {
    return {
      reference: findDispute(state, source.split('.')[0]!).disputed_transactions[0]!.seller_transaction_id,
    };
  }
  const order = state.orders.get(state.orderOf.get(source)!);
  const reference = order?.purchase_units[0].payments?.captures?.[0]?.id;
  return { ...findRefund(state, source), reference };
}
