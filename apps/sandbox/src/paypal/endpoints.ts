import { isLoopback } from '../loopback.ts';
import { findCapture } from './captures.ts';
import { disputesOf, findDispute } from './disputes.ts';
import { impossible, notFound } from './errors.ts';
import { captureOrder, createOrder, findOrder } from './orders.ts';
import { findRefund, refundCapture } from './refunds.ts';
import { balancesOf, transactionsOf } from './reporting.ts';
import { orderRequest, parsed, refundRequest, webhookRequest } from './requests.ts';
import type { PaypalState } from './state.ts';
import { deleteToken, getToken, vaultNow } from './vault.ts';
import type { Capture, Order } from './wire.ts';

const HOUR_MS = 3_600_000;

type Call = { state: PaypalState; id: string; body: unknown };

export type Endpoint = {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  /** Creates or ends something. @returns its id, by which it is shown */
  run?(call: Call): string;
  /** Answers a search instead of one object. */
  search?(state: PaypalState, query: Record<string, string | undefined>): object;
  /** How long the request id of a creating call is known. */
  lifetimeMs?: number;
  /** @param lag objects younger than this, in ms, are omitted within others */
  show(state: PaypalState, id: string, lag: number): object | undefined;
};

const nothing = () => undefined;

function findWebhook({ webhook }: PaypalState, id: string): object {
  if (id !== webhook.id) throw notFound();
  return { ...webhook, event_types: [{ name: '*', description: 'ALL', status: 'ENABLED' }] };
}

/** Replaces the webhook of the app by one for another address: the sandbox has one, and delivers to this machine only. */
function replaceWebhook({ webhook, ids }: PaypalState, { url }: { url: string }): string {
  if (webhook.url === url) throw impossible('WEBHOOK_URL_ALREADY_EXISTS', 'Webhook URL already exists.');
  if (!isLoopback(new URL(url).hostname))
    throw impossible('VALIDATION_ERROR', 'The sandbox delivers to this machine only.');
  Object.assign(webhook, { id: ids.next('', 17).toUpperCase(), url });
  return webhook.id;
}

/** A payment inside its order lacks the references that it has on its own. */
const within = ({ supplementary_data: _, ...capture }: Capture): Capture => capture;

/** Returns the current form of an order. */
function shown(state: PaypalState, id: string, lag: number): Order {
  const order = findOrder(state, id);
  const [unit] = order.purchase_units;
  const { captures, refunds } = unit.payments ?? {};
  const found = refunds?.filter(one => state.clock.now() - state.creationTime(one.id) >= lag);
  const wallet = order.payment_source?.paypal;
  const vault = wallet?.attributes?.vault;
  return {
    ...order,
    ...(vault && {
      payment_source: { paypal: { ...wallet, attributes: { vault: vaultNow(state, vault) } } },
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

/** Calls of Orders v2, Payments v2 and Payment Method Tokens v3 that a shop like ours uses. */
export const endpoints: Endpoint[] = [
  {
    method: 'POST',
    path: '/v2/checkout/orders',
    run: ({ state, body }) => createOrder(state, parsed(orderRequest, body)).id,
    lifetimeMs: 6 * HOUR_MS,
    show: shown,
  },
  { method: 'GET', path: '/v2/checkout/orders/:id', show: shown },
  {
    method: 'POST',
    path: '/v2/checkout/orders/:id/capture',
    run: ({ state, id }) => captureOrder(state, id).id,
    lifetimeMs: 6 * HOUR_MS,
    show: shown,
  },
  {
    method: 'GET',
    path: '/v2/payments/captures/:id',
    show: (state, id) => findCapture(state, id).capture,
  },
  {
    method: 'POST',
    path: '/v2/payments/captures/:id/refund',
    run: ({ state, id, body }) => refundCapture(state, id, parsed(refundRequest, body ?? {})).id,
    lifetimeMs: 45 * 24 * HOUR_MS,
    show: findRefund,
  },
  { method: 'GET', path: '/v2/payments/refunds/:id', show: findRefund },
  { method: 'GET', path: '/v1/reporting/transactions', search: transactionsOf, show: nothing },
  { method: 'GET', path: '/v1/reporting/balances', search: balancesOf, show: nothing },
  { method: 'GET', path: '/v1/customer/disputes', search: disputesOf, show: nothing },
  { method: 'GET', path: '/v1/customer/disputes/:id', show: findDispute },
  {
    method: 'GET',
    path: '/v1/notifications/webhooks',
    search: state => ({ webhooks: [findWebhook(state, state.webhook.id)] }),
    show: nothing,
  },
  {
    method: 'POST',
    path: '/v1/notifications/webhooks',
    run: ({ state, body }) => replaceWebhook(state, parsed(webhookRequest, body)),
    show: findWebhook,
  },
  { method: 'GET', path: '/v1/notifications/webhooks/:id', show: findWebhook },
  { method: 'GET', path: '/v3/vault/payment-tokens/:id', show: getToken },
  {
    method: 'DELETE',
    path: '/v3/vault/payment-tokens/:id',
    run({ state, id }) {
      deleteToken(state, id);
      return id;
    },
    show: () => undefined,
  },
];
