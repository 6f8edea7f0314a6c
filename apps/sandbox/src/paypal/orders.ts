import { capturedBy, newCapture } from './captures.ts';
import { impossible, notFound } from './errors.ts';
import { sumOf } from './money.ts';
import type { OrderRequest } from './requests.ts';
import { emit, type Funding, newId, type PaypalState, timeOf } from './state.ts';
import { createToken, findToken } from './vault.ts';
import type { Capture, Link, Order, Wallet } from './wire.ts';

/** Unpaid orders expire after this time. */
const LIFETIME_MS = 3 * 60 * 60_000;

/** The only buyer, always logged in at PayPal. */
const BUYER = {
  email_address: 'somchai.jaidee@buyer.example',
  account_id: 'BUYER7SANDB2X',
  name: { given_name: 'Somchai', surname: 'Jaidee' },
} satisfies Wallet;

/** @throws PaypalRefusal when it does not exist any more, or never did */
export function findOrder(state: PaypalState, id: string): Order {
  const order = state.orders.get(id);
  const over = order && state.clock.now() - Date.parse(order.create_time) > LIFETIME_MS;
  if (!order || (over && order.status !== 'COMPLETED')) throw notFound();
  return order;
}

/** Creates an order that its buyer must approve, or one that a saved token pays at once. */
export function createOrder(state: PaypalState, request: OrderRequest): Order {
  const [unit] = request.purchase_units;
  const { vault_id, attributes, experience_context } = request.payment_source.paypal;
  sumOf(unit.amount);
  refuseSecondPayment(state, unit.invoice_id);
  const id = newId(state);
  const order: Order = {
    id,
    intent: 'CAPTURE',
    status: 'PAYER_ACTION_REQUIRED',
    create_time: timeOf(state.clock.now()),
    payment_source: { paypal: {} },
    purchase_units: [{ reference_id: 'default', ...unit }],
    links: [],
  };
  if (vault_id) {
    findToken(state, vault_id);
    return take(state, { ...order, payment_source: { paypal: BUYER } }, 'balance');
  }
  if (!experience_context) {
    throw impossible(
      'RETURN_URL_REQUIRED',
      'The return url is required when attempting to vault this source.',
    );
  }
  state.approvals.put(id, {
    order: id,
    returnUrl: experience_context.return_url,
    cancelUrl: experience_context.cancel_url,
    keeps: attributes?.vault !== undefined,
  });
  return put(state, order);
}

/** The buyer approves on PayPal's page, also repeatedly. */
export function approve(state: PaypalState, id: string, funding: Funding): Order {
  const order = findOrder(state, id);
  if (order.status === 'COMPLETED') throw impossible('ORDER_ALREADY_CAPTURED', 'Order already captured.');
  state.approvals.put(id, { ...state.approvals.get(id)!, funding });
  const approved = put(state, { ...order, status: 'APPROVED', payment_source: { paypal: BUYER } });
  emit(state, {
    event_type: 'CHECKOUT.ORDER.APPROVED',
    resource_type: 'checkout-order',
    summary: 'An order has been approved by buyer',
    resource: approved,
  });
  return approved;
}

/** The shop captures the approved amount. */
export function captureOrder(state: PaypalState, id: string): Order {
  const order = findOrder(state, id);
  if (order.status === 'COMPLETED') {
    throw impossible(
      'ORDER_ALREADY_CAPTURED',
      "Order already captured. If 'intent=CAPTURE' only one capture per order is allowed.",
    );
  }
  const { funding, keeps } = state.approvals.get(id)!;
  if (order.status !== 'APPROVED' || !funding) {
    throw impossible(
      'ORDER_NOT_APPROVED',
      "Payer has not yet approved the Order for payment. Please redirect the payer to the 'rel':'approve' url returned as part of the HATEOAS links within the Create Order call or provide a valid `payment_source` in the request.",
    );
  }
  refuseSecondPayment(state, order.purchase_units[0].invoice_id!);
  if (funding === 'refusedCard') {
    throw impossible(
      'INSTRUMENT_DECLINED',
      "The instrument presented was either declined by the processor or bank, or it can't be used for this payment.",
      [{ href: approvalUrl(state, id), rel: 'redirect', method: 'GET' }],
    );
  }
  const wallet = keeps ? { ...BUYER, attributes: { vault: createToken(state, BUYER.email_address) } } : BUYER;
  return take(state, { ...order, payment_source: { paypal: wallet } }, funding);
}

function take(state: PaypalState, order: Order, funding: Funding): Order {
  const [unit] = order.purchase_units;
  const capture = newCapture(state, order, funding);
  const taken = put(state, {
    ...order,
    status: 'COMPLETED',
    update_time: timeOf(state.clock.now()),
    purchase_units: [{ ...unit, payments: { captures: [capture] } }],
  });
  capturedBy(state, capture);
  return taken;
}

/** Refuses a second payment for one invoice of the shop. */
function refuseSecondPayment(state: PaypalState, invoiceId: string): void {
  const paid = state.orders
    .all()
    .some(({ status, purchase_units: [unit] }) => status === 'COMPLETED' && unit.invoice_id === invoiceId);
  if (!paid) return;
  throw impossible(
    'DUPLICATE_INVOICE_ID',
    'Duplicate Invoice ID detected. To avoid a potential duplicate transaction your account setting requires that Invoice Id be unique for each transaction.',
  );
}

/** Address where the buyer approves. */
const approvalUrl = (state: PaypalState, id: string): string => `${state.origin()}/checkoutnow?token=${id}`;

function put(state: PaypalState, order: Order): Order {
  return state.orders.put(order.id, { ...order, links: linksOf(state, order) });
}

function linksOf(state: PaypalState, { id, status }: Order): Link[] {
  const self = `${state.origin()}/v2/checkout/orders/${id}`;
  const links: Link[] = [{ href: self, rel: 'self', method: 'GET' }];
  if (status === 'PAYER_ACTION_REQUIRED') {
    links.push({ href: approvalUrl(state, id), rel: 'payer-action', method: 'GET' });
  }
  if (status === 'APPROVED') {
    links.push(
      { href: self, rel: 'update', method: 'PATCH' },
      { href: `${self}/capture`, rel: 'capture', method: 'POST' },
    );
  }
  return links;
}

/** The payment of a captured order. */
export const captureOf = (order: Order): Capture | undefined =>
  order.purchase_units[0].payments?.captures?.[0];
