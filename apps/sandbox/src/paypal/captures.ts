import { notFound } from './errors.ts';
import { feeOf, moneyOf, sumOf } from './money.ts';
import { emit, type Funding, newId, type PaypalState, timeOf } from './state.ts';
import type { Capture, Order } from './wire.ts';

/** Creates a payment of an order. A bank payment takes days: it is pending, and not booked. */
export function newCapture(state: PaypalState, order: Order, funding: Funding): Capture {
  const [unit] = order.purchase_units;
  const id = newId(state);
  const self = `${state.origin()}/v2/payments/captures/${id}`;
  const now = timeOf(state.clock.now());
  state.orderOf.put(id, order.id);
  const capture: Capture = {
    id,
    status: 'PENDING',
    status_details: { reason: 'ECHECK' },
    amount: { currency_code: unit.amount.currency_code, value: unit.amount.value },
    custom_id: unit.custom_id!,
    invoice_id: unit.invoice_id!,
    final_capture: true,
    create_time: now,
    update_time: now,
    supplementary_data: { related_ids: { order_id: order.id } },
    links: [
      { href: self, rel: 'self', method: 'GET' },
      { href: `${self}/refund`, rel: 'refund', method: 'POST' },
      { href: `${state.origin()}/v2/checkout/orders/${order.id}`, rel: 'up', method: 'GET' },
    ],
  };
  return funding === 'bank' ? capture : completed(capture);
}

function completed({ status_details: _, ...capture }: Capture): Capture {
  const gross = sumOf(capture.amount);
  const fee = feeOf(gross);
  return {
    ...capture,
    status: 'COMPLETED',
    seller_receivable_breakdown: {
      gross_amount: moneyOf(gross),
      paypal_fee: moneyOf(fee),
      net_amount: moneyOf({ ...gross, units: gross.units - fee.units }),
    },
  };
}

/** Publishes a payment's state, and books it once it is completed. */
export function capturedBy(state: PaypalState, capture: Capture): void {
  const { currency_code, value } = capture.amount;
  const word = { COMPLETED: 'completed', PENDING: 'pending', DECLINED: 'declined' }[capture.status as string];
  if (capture.status === 'COMPLETED') {
    const gross = sumOf(capture.amount);
    const fee = feeOf(gross).units;
    state.movements.put(capture.id, {
      source: capture.id,
      kind: 'capture',
      currency: gross.currency,
      gross: gross.units,
      fee,
      net: gross.units - fee,
      at: state.clock.now(),
    });
  }
  emit(state, {
    event_type: `PAYMENT.CAPTURE.${capture.status}`,
    resource_type: 'capture',
    summary: `Payment ${word} for ${currency_code} ${value}`,
    resource: capture,
  });
}

/** @throws PaypalRefusal */
export function findCapture(state: PaypalState, id: string): { order: Order; capture: Capture } {
  const order = state.orders.get(state.orderOf.get(id) ?? '');
  const capture = order?.purchase_units[0].payments?.captures?.find(one => one.id === id);
  if (!order || !capture) throw notFound();
  return { order, capture };
}

export function putCapture(state: PaypalState, order: Order, capture: Capture): void {
  const [unit] = order.purchase_units;
  const update_time = timeOf(state.clock.now());
  const payments = { ...unit.payments, captures: [{ ...capture, update_time }] };
  state.orders.put(order.id, { ...order, update_time, purchase_units: [{ ...unit, payments }] });
}

/** Records the late answer of the buyer's bank. */
export function settleCapture(state: PaypalState, id: string, paid: boolean): Capture {
  const { order, capture } = findCapture(state, id);
  if (capture.status !== 'PENDING') throw new Error(`Capture ${id} is ${capture.status}`);
  const settled: Capture = paid ? completed(capture) : { ...capture, status: 'DECLINED' };
  putCapture(state, order, settled);
  capturedBy(state, settled);
  return settled;
}
