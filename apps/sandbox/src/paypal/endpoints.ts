import { findCapture } from './captures.ts';
import { disputesOf, findDispute } from './disputes.ts';
import { notFound } from './errors.ts';
import { captureOrder, createOrder, findOrder } from './orders.ts';
import { findRefund, refundCapture } from './refunds.ts';
import { balancesOf, transactionsOf } from './reporting.ts';
import { orderRequest, parsed, refundRequest } from './requests.ts';
import { deleteToken, getToken, vaultNow } from './vault.ts';
import type { Capture, Order } from './wire.ts';
import type { PaypalWorld } from './world.ts';

const HOUR_MS = 3_600_000;

type Call = { world: PaypalWorld; id: string; body: unknown };

export type Endpoint = {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  /** Makes or ends something. @returns its id, by which it is shown */
  run?(call: Call): string;
  /** Answers a search instead of one thing. */
  search?(world: PaypalWorld, query: Record<string, string | undefined>): object;
  /** How long the request id of a call that makes something is known. */
  keptMs?: number;
  /** @param lag of what is younger than this, in ms, nothing is to be found within other things */
  show(world: PaypalWorld, id: string, lag: number): object | undefined;
};

const nothing = () => undefined;

function findWebhook({ webhook }: PaypalWorld, id: string): object {
  if (id !== webhook.id) throw notFound();
  return { ...webhook, event_types: [{ name: '*', description: 'ALL', status: 'ENABLED' }] };
}

/** A payment as its order shows it: what it belongs to it says where it stands alone. */
const within = ({ supplementary_data: _, ...capture }: Capture): Capture => capture;

/** An order as it is shown now. */
function shown(world: PaypalWorld, id: string, lag: number): Order {
  const order = findOrder(world, id);
  const [unit] = order.purchase_units;
  const { captures, refunds } = unit.payments ?? {};
  const found = refunds?.filter(one => world.clock.now() - world.bornAt(one.id) >= lag);
  const wallet = order.payment_source?.paypal;
  const vault = wallet?.attributes?.vault;
  return {
    ...order,
    ...(vault && {
      payment_source: { paypal: { ...wallet, attributes: { vault: vaultNow(world, vault) } } },
    }),
    purchase_units: [
      {
        ...unit,
        ...(captures && {
          payments: { captures: captures.map(within), ...(found?.length && { refunds: found }) },
        }),
      },
    ],
  };
}

/** What of Orders v2, Payments v2 and Payment Method Tokens v3 a shop like ours calls. */
export const endpoints: Endpoint[] = [
  {
    method: 'POST',
    path: '/v2/checkout/orders',
    run: ({ world, body }) => createOrder(world, parsed(orderRequest, body)).id,
    keptMs: 6 * HOUR_MS,
    show: shown,
  },
  { method: 'GET', path: '/v2/checkout/orders/:id', show: shown },
  {
    method: 'POST',
    path: '/v2/checkout/orders/:id/capture',
    run: ({ world, id }) => captureOrder(world, id).id,
    keptMs: 6 * HOUR_MS,
    show: shown,
  },
  {
    method: 'GET',
    path: '/v2/payments/captures/:id',
    show: (world, id) => findCapture(world, id).capture,
  },
  {
    method: 'POST',
    path: '/v2/payments/captures/:id/refund',
    run: ({ world, id, body }) => refundCapture(world, id, parsed(refundRequest, body ?? {})).id,
    keptMs: 45 * 24 * HOUR_MS,
    show: findRefund,
  },
  { method: 'GET', path: '/v2/payments/refunds/:id', show: findRefund },
  { method: 'GET', path: '/v1/reporting/transactions', search: transactionsOf, show: nothing },
  { method: 'GET', path: '/v1/reporting/balances', search: balancesOf, show: nothing },
  { method: 'GET', path: '/v1/customer/disputes', search: disputesOf, show: nothing },
  { method: 'GET', path: '/v1/customer/disputes/:id', show: findDispute },
  { method: 'GET', path: '/v1/notifications/webhooks/:id', show: findWebhook },
  { method: 'GET', path: '/v3/vault/payment-tokens/:id', show: getToken },
  {
    method: 'DELETE',
    path: '/v3/vault/payment-tokens/:id',
    run({ world, id }) {
      deleteToken(world, id);
      return id;
    },
    show: () => undefined,
  },
];
