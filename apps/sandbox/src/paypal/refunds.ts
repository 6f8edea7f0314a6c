import { findCapture, putCapture } from './captures.ts';
import { notFound } from './errors.ts';
import { moneyOf, type Sum, sumOf } from './money.ts';
import { checkRefundable, refundsOf } from './refund-refusals.ts';
import type { RefundRequest } from './requests.ts';
import { emit, type Movement, newId, type PaypalState, timeOf } from './state.ts';
import type { Capture, Order, Refund } from './wire.ts';

/** Amount refunded or being refunded, in the smallest unit. */
export const given = (order: Order): number =>
  refundsOf(order)
    .filter(({ status }) => status === 'COMPLETED' || status === 'PENDING')
    .reduce((sum, { amount }) => sum + sumOf(amount).units, 0);

/** Refunds a payment in part or whole. The fee stays with PayPal. */
export function refundCapture(state: PaypalState, captureId: string, request: RefundRequest): Refund {
  const { order, capture } = findCapture(state, captureId);
  const paid = sumOf(capture.amount);
  const left = paid.units - given(order);
  checkRefundable(state, capture, request, left);
  const amount = request.amount ? sumOf(request.amount) : { ...paid, units: left };
  const refund: Refund = {
    ...newRefund(state, order, capture, amount),
    ...(request.custom_id && { custom_id: request.custom_id }),
    ...(request.invoice_id && { invoice_id: request.invoice_id }),
  };
  putRefund(state, order, capture, refund);
  book(state, refund.id, 'refund', amount, -1);
  publishEvent(state, 'PAYMENT.CAPTURE.REFUNDED', refund);
  return refund;
}

/**
 * PayPal reverses a payment or a part of it by itself.
 * @param units in the smallest unit; undefined: all that is left
 * @param held whether a dispute holds the money already
 */
export function reverseCapture(state: PaypalState, captureId: string, units?: number, held = false): Refund {
  const { order, capture } = findCapture(state, captureId);
  const paid = sumOf(capture.amount);
  const amount = { ...paid, units: units ?? paid.units - given(order) };
  const reversal: Refund = {
    ...newRefund(state, order, capture, amount),
    note_to_payer: 'Payment reversed',
  };
  putRefund(state, order, capture, reversal);
  if (!held) book(state, reversal.id, 'reversal', amount, -1);
  publishEvent(state, 'PAYMENT.CAPTURE.REVERSED', reversal);
  return reversal;
}

/** Returns the money of a reversal. */
export function endReversal(state: PaypalState, id: string): void {
  const { order, refund } = findIn(state, id)!;
  const ended: Refund = { ...refund, status: 'CANCELLED', update_time: timeOf(state.clock.now()) };
  putRefund(state, order, order.purchase_units[0].payments!.captures![0]!, ended);
}

function newRefund(state: PaypalState, order: Order, capture: Capture, amount: Sum): Refund {
  const id = newId(state);
  state.orderOf.put(id, order.id);
  const now = timeOf(state.clock.now());
  return {
    id,
    status: 'COMPLETED',
    amount: moneyOf(amount),
    seller_payable_breakdown: {
      gross_amount: moneyOf(amount),
      paypal_fee: moneyOf({ ...amount, units: 0 }),
      net_amount: moneyOf(amount),
      total_refunded_amount: moneyOf({ ...amount, units: given(order) + amount.units }),
    },
    create_time: now,
    update_time: now,
    links: [
      { href: `${state.origin()}/v2/payments/refunds/${id}`, rel: 'self', method: 'GET' },
      { href: `${state.origin()}/v2/payments/captures/${capture.id}`, rel: 'up', method: 'GET' },
    ],
  };
}

/** @throws PaypalRefusal */
export function findRefund(state: PaypalState, id: string): Refund {
  const refund = findIn(state, id)?.refund;
  if (!refund) throw notFound();
  return refund;
}

/** The bank returns a refund that had arrived. */
export function returnRefund(state: PaypalState, id: string): Refund {
  const found = findIn(state, id);
  if (found?.refund.status !== 'COMPLETED') throw new Error(`No refund ${id} that has arrived`);
  const failed: Refund = { ...found.refund, status: 'FAILED', update_time: timeOf(state.clock.now()) };
  putRefund(state, found.order, found.order.purchase_units[0].payments!.captures![0]!, failed);
  book(state, id, 'refundReturned', sumOf(failed.amount), 1);
  publishEvent(state, 'PAYMENT.REFUND.FAILED', failed);
  return failed;
}

function findIn(state: PaypalState, id: string): { order: Order; refund: Refund } | undefined {
  const order = state.orders.get(state.orderOf.get(id) ?? '');
  const refund = order && refundsOf(order).find(one => one.id === id);
  return refund && { order, refund };
}

/** Stores a refund in its order, and updates the payment's state. */
function putRefund(state: PaypalState, order: Order, capture: Capture, refund: Refund): void {
  const [unit] = order.purchase_units;
  const refunds = [...refundsOf(order).filter(({ id }) => id !== refund.id), refund];
  const changed: Order = {
    ...order,
    purchase_units: [{ ...unit, payments: { ...unit.payments, refunds } }],
  };
  const back = given(changed);
  const all = sumOf(capture.amount).units;
  const status = back === 0 ? 'COMPLETED' : back >= all ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
  putCapture(state, changed, { ...capture, status });
}

function book(
  state: PaypalState,
  source: string,
  kind: Movement['kind'],
  { currency, units }: { currency: string; units: number },
  sign: 1 | -1,
): void {
  const amount = sign * units;
  const movement = { source, kind, currency, gross: amount, fee: 0, net: amount, at: state.clock.now() };
  state.movements.put(`${kind}.${source}`, movement);
}

function publishEvent(state: PaypalState, event_type: string, refund: Refund): void {
  const { currency_code, value } = refund.amount;
  const outcome =
    refund.status === 'FAILED' ? 'not refunded' : refund.note_to_payer ? 'reversed' : 'refunded';
  emit(state, {
    event_type,
    resource_type: 'refund',
    summary: `A ${currency_code} ${value} capture payment was ${outcome}`,
    resource: refund,
  });
}
