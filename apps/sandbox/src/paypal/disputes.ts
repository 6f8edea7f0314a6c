import { findCapture } from './captures.ts';
import { notFound } from './errors.ts';
import { moneyOf, type Sum, sumOf } from './money.ts';
import { endReversal, given, reverseCapture } from './refunds.ts';
import { emit, newId, type PaypalState, timeOf } from './state.ts';
import type { Dispute } from './wire.ts';

const DAY_MS = 86_400_000;
const ANSWER_DAYS = 10;

/**
 * Opens a dispute: the buyer complains, or their bank takes the payment back. The money is held,
 * unless it is an inquiry.
 */
export function openDispute(
  state: PaypalState,
  captureId: string,
  reason = 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED',
  inquiry = false,
  channel: Dispute['dispute_channel'] = 'INTERNAL',
): { id: string } {
  const { capture } = findCapture(state, captureId);
  const id = `PP-D-${newId(state).slice(0, 5)}`;
  const now = state.clock.now();
  const dispute: Dispute = {
    dispute_id: id,
    create_time: timeOf(now),
    update_time: timeOf(now),
    reason,
    status: 'WAITING_FOR_SELLER_RESPONSE',
    dispute_amount: capture.amount,
    dispute_life_cycle_stage: inquiry ? 'INQUIRY' : 'CHARGEBACK',
    dispute_channel: channel,
    seller_response_due_date: timeOf(now + ANSWER_DAYS * DAY_MS),
    disputed_transactions: [{ seller_transaction_id: captureId, custom: capture.custom_id }],
  };
  state.disputes.put(id, dispute);
  if (!inquiry) hold(state, id, sumOf(capture.amount), -1);
  publishEvent(state, 'CREATED', dispute);
  return { id };
}

/**
 * Closes a dispute; a lost one can be closed again after an appeal. Won, the held money returns;
 * lost, it goes by a reversal with its own event.
 * @param units amount for the buyer if lost, in the smallest unit; undefined: everything
 */
export function closeDispute(
  state: PaypalState,
  id: string,
  outcome: 'won' | 'lost',
  units?: number,
): Dispute {
  const dispute = findDispute(state, id);
  const appealed = dispute.dispute_outcome?.outcome_code === 'RESOLVED_BUYER_FAVOUR' && outcome === 'won';
  if (dispute.status === 'RESOLVED' && !appealed) throw new Error(`Dispute ${id} is decided`);
  const held = dispute.dispute_life_cycle_stage !== 'INQUIRY';
  const whole = sumOf(dispute.dispute_amount);
  const [of] = dispute.disputed_transactions;
  const { order } = findCapture(state, of!.seller_transaction_id);
  // A refund during the case leaves less for the buyer.
  const left = whole.units - given(order);
  const back = { ...whole, units: Math.min(units ?? whole.units, left) };
  const decided: Dispute = {
    ...dispute,
    status: 'RESOLVED',
    update_time: timeOf(state.clock.now()),
    dispute_outcome:
      outcome === 'won'
        ? { outcome_code: 'RESOLVED_SELLER_FAVOUR' }
        : { outcome_code: 'RESOLVED_BUYER_FAVOUR', amount_refunded: moneyOf(back) },
  };
  state.disputes.put(id, decided);
  if (outcome === 'won') {
    if (held || appealed) hold(state, id, whole, 1);
    const reversal = state.reversalOf.get(id);
    if (appealed && reversal) endReversal(state, reversal);
  } else {
    if (!held) hold(state, id, whole, -1);
    if (back.units < whole.units) hold(state, id, { ...whole, units: whole.units - back.units }, 1);
    if (back.units > 0)
      state.reversalOf.put(id, reverseCapture(state, of!.seller_transaction_id, back.units, true).id);
  }
  publishEvent(state, 'RESOLVED', decided);
  return decided;
}

/**
 * Charges a fee for a dispute, some time after the decision and without an event; a negative fee is
 * refunded.
 */
export function chargeDispute(state: PaypalState, id: string, units: number): Dispute {
  const dispute = findDispute(state, id);
  const { currency } = sumOf(dispute.dispute_amount);
  const now = state.clock.now();
  const movements = dispute.money_movements ?? [];
  const charged: Dispute = {
    ...dispute,
    money_movements: [
      ...movements,
      {
        affected_party: 'SELLER',
        type: units < 0 ? 'CREDIT' : 'DEBIT',
        reason: 'DISPUTE_FEE',
        amount: moneyOf({ currency, units: Math.abs(units) }),
        initiated_time: timeOf(now),
      },
    ],
  };
  state.disputes.put(id, charged);
  // Each is a transaction of its own.
  const source = `${id}.${movements.length}`;
  const movement = { source, kind: 'disputeFee', currency, gross: -units, fee: 0, net: -units } as const;
  state.movements.put(`disputeFee.${source}`, { ...movement, at: now });
  return charged;
}

const LISTED_AT_ONCE = { default: 10, most: 50 };

/** `GET /v1/customer/disputes`: a summary of each, paged by token; pages have no numbers there. */
export function disputesOf(state: PaypalState, query: Record<string, string | undefined>): object {
  const { disputed_transaction_id: payment, update_time_after: after, next_page_token: token } = query;
  const size = Math.min(Number(query.page_size ?? LISTED_AT_ONCE.default), LISTED_AT_ONCE.most);
  const found = state.disputes
    .all()
    .filter(({ disputed_transactions: [of] }) => !payment || of?.seller_transaction_id === payment)
    .filter(({ update_time }) => !after || Date.parse(update_time) > Date.parse(after));
  const from = token ? Number(Buffer.from(token, 'base64').toString()) : 0;
  const self = `${state.origin()}/v1/customer/disputes`;
  const next = Buffer.from(String(from + size)).toString('base64');
  return {
    items: found.slice(from, from + size).map(summaryOf),
    links: [
      { href: self, rel: 'self', method: 'GET' },
      ...(from + size < found.length
        ? [{ href: `${self}?next_page_token=${encodeURIComponent(next)}`, rel: 'next', method: 'GET' }]
        : []),
    ],
  };
}

const summaryOf = ({
  disputed_transactions: _payments,
  dispute_outcome: _outcome,
  money_movements: _movements,
  ...summary
}: Dispute): object => summary;

/** @throws PaypalRefusal */
export function findDispute(state: PaypalState, id: string): Dispute {
  const dispute = state.disputes.get(id);
  if (!dispute) throw notFound();
  return dispute;
}

function hold(state: PaypalState, dispute_id: string, { currency, units }: Sum, sign: 1 | -1): void {
  const kind = sign < 0 ? 'held' : 'heldReturned';
  const amount = sign * units;
  const movement = { source: dispute_id, kind, currency, gross: amount, fee: 0, net: amount } as const;
  state.movements.put(`${kind}.${dispute_id}`, { ...movement, at: state.clock.now() });
}

function publishEvent(state: PaypalState, what: 'CREATED' | 'RESOLVED', dispute: Dispute): void {
  const { currency_code, value } = moneyOf(sumOf(dispute.dispute_amount));
  emit(state, {
    event_type: `CUSTOMER.DISPUTE.${what}`,
    resource_type: 'dispute',
    summary: `Dispute ${dispute.dispute_id} of ${currency_code} ${value}: ${dispute.status}`,
    resource: dispute,
  });
}
