import { capturedBy, newCapture } from './captures.ts';
import { impossible, notFound } from './errors.ts';
import { sumOf } from './money.ts';
import type { OrderRequest } from './requests.ts';
import { findToken, keepToken } from './vault.ts';
import type { Capture, Link, Order, Wallet } from './wire.ts';
import { emit, type Funding, newId, type PaypalWorld, timeOf } from './world.ts';

/** What nobody has paid is gone after this long. */
const LIFETIME_MS = 3 * 60 * 60_000;

/** The one buyer, who is logged in at PayPal already. */
const BUYER = {
  email_address: 'somchai.jaidee@buyer.example',
  account_id: 'BUYER7SANDB2X',
  name: { given_name: 'Somchai', surname: 'Jaidee' },
} satisfies Wallet;

/** @throws PaypalRefusal when it does not exist, or no more */
export function findOrder(world: PaypalWorld, id: string): Order {
  const order = world.orders.get(id);
  const over = order && world.clock.now() - Date.parse(order.create_time) > LIFETIME_MS;
  if (!order || (over && order.status !== 'COMPLETED')) throw notFound();
  return order;
}

/** An order that its buyer is to approve, or one that a kept token pays at once. */
export function createOrder(world: PaypalWorld, request: OrderRequest): Order {
  const [unit] = request.purchase_units;
  const { vault_id, attributes, experience_context } = request.payment_source.paypal;
  sumOf(unit.amount);
  refuseSecondPayment(world, unit.invoice_id);
  const id = newId(world);
  const order: Order = {
    id,
    intent: 'CAPTURE',
    status: 'PAYER_ACTION_REQUIRED',
    create_time: timeOf(world.clock.now()),
    payment_source: { paypal: {} },
    purchase_units: [{ reference_id: 'default', ...unit }],
    links: [],
  };
  if (vault_id) {
    findToken(world, vault_id);
    return take(world, { ...order, payment_source: { paypal: BUYER } }, 'balance');
  }
  if (!experience_context) {
    throw impossible(
      'RETURN_URL_REQUIRED',
      'The return url is required when attempting to vault this source.',
    );
  }
  world.approvals.put(id, {
    order: id,
    returnUrl: experience_context.return_url,
    cancelUrl: experience_context.cancel_url,
    keeps: attributes?.vault !== undefined,
  });
  return put(world, order);
}

/** The buyer agrees on PayPal's page, also once more. */
export function approve(world: PaypalWorld, id: string, funding: Funding): Order {
  const order = findOrder(world, id);
  if (order.status === 'COMPLETED') throw impossible('ORDER_ALREADY_CAPTURED', 'Order already captured.');
  world.approvals.put(id, { ...world.approvals.get(id)!, funding });
  const approved = put(world, { ...order, status: 'APPROVED', payment_source: { paypal: BUYER } });
  emit(world, {
    event_type: 'CHECKOUT.ORDER.APPROVED',
    resource_type: 'checkout-order',
    summary: 'An order has been approved by buyer',
    resource: approved,
  });
  return approved;
}

/** The shop takes the money that was agreed to. */
export function captureOrder(world: PaypalWorld, id: string): Order {
  const order = findOrder(world, id);
  if (order.status === 'COMPLETED') {
    throw impossible(
      'ORDER_ALREADY_CAPTURED',
      "Order already captured. If 'intent=CAPTURE' only one capture per order is allowed.",
    );
  }
  const { funding, keeps } = world.approvals.get(id)!;
  if (order.status !== 'APPROVED' || !funding) {
    throw impossible(
      'ORDER_NOT_APPROVED',
      "Payer has not yet approved the Order for payment. Please redirect the payer to the 'rel':'approve' url returned as part of the HATEOAS links within the Create Order call or provide a valid `payment_source` in the request.",
    );
  }
  refuseSecondPayment(world, order.purchase_units[0].invoice_id!);
  if (funding === 'refusedCard') {
    throw impossible(
      'INSTRUMENT_DECLINED',
      "The instrument presented was either declined by the processor or bank, or it can't be used for this payment.",
      [{ href: approvalUrl(world, id), rel: 'redirect', method: 'GET' }],
    );
  }
  const wallet = keeps ? { ...BUYER, attributes: { vault: keepToken(world, BUYER.email_address) } } : BUYER;
  return take(world, { ...order, payment_source: { paypal: wallet } }, funding);
}

function take(world: PaypalWorld, order: Order, funding: Funding): Order {
  const [unit] = order.purchase_units;
  const capture = newCapture(world, order, funding);
  const taken = put(world, {
    ...order,
    status: 'COMPLETED',
    update_time: timeOf(world.clock.now()),
    purchase_units: [{ ...unit, payments: { captures: [capture] } }],
  });
  capturedBy(world, capture);
  return taken;
}

/** The account refuses a second payment for one invoice of the shop. */
function refuseSecondPayment(world: PaypalWorld, invoiceId: string): void {
  const paid = world.orders
    .all()
    .some(({ status, purchase_units: [unit] }) => status === 'COMPLETED' && unit.invoice_id === invoiceId);
  if (!paid) return;
  throw impossible(
    'DUPLICATE_INVOICE_ID',
    'Duplicate Invoice ID detected. To avoid a potential duplicate transaction your account setting requires that Invoice Id be unique for each transaction.',
  );
}

/** Where the buyer approves. */
const approvalUrl = (world: PaypalWorld, id: string): string => `${world.origin()}/checkoutnow?token=${id}`;

function put(world: PaypalWorld, order: Order): Order {
  return world.orders.put(order.id, { ...order, links: linksOf(world, order) });
}

function linksOf(world: PaypalWorld, { id, status }: Order): Link[] {
  const self = `${world.origin()}/v2/checkout/orders/${id}`;
  const links: Link[] = [{ href: self, rel: 'self', method: 'GET' }];
  if (status === 'PAYER_ACTION_REQUIRED') {
    links.push({ href: approvalUrl(world, id), rel: 'payer-action', method: 'GET' });
  }
  if (status === 'APPROVED') {
    links.push(
      { href: self, rel: 'update', method: 'PATCH' },
      { href: `${self}/capture`, rel: 'capture', method: 'POST' },
    );
  }
  return links;
}

/** The payment of an order that was taken. */
export const captureOf = (order: Order): Capture | undefined =>
  order.purchase_units[0].payments?.captures?.[0];
