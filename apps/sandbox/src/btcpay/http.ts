import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { dropConnection, truncate } from '../control/broken-answers.ts';
import type { ApiAction, Faults } from '../control/faults.ts';
import type { OnExchange } from '../exchange.ts';
import { sameSecret } from '../secret.ts';
import { money } from './amounts.ts';
import { BtcpayRefusal, notFound } from './errors.ts';
import { createInvoice, mark } from './invoices.ts';
import { invoiceModel, paymentMethodModels, payoutModel, pullPaymentModel, webhookModel } from './models.ts';
import { newInvoice, newPayout, newRefund, newStatus, read } from './params.ts';
import { claim, refundInvoice } from './pull-payments.ts';
import { lacksRight, requireRight, rightsOf } from './rights.ts';
import { type BtcpayState, type Invoice, type PullPayment, rateOf } from './state.ts';

export type BtcpayContext = {
  state: BtcpayState;
  faults: Faults;
  token: string;
  /** Address of its only webhook. */
  webhookUrl: string;
  onAnswer?: OnExchange;
};

type Call = { body: unknown; query: Record<string, string | undefined>; id: string };
/**
 * `needs`: required right in the store; without it every key may call. `open`: no key is needed.
 */
type Route = {
  method: 'GET' | 'POST';
  path: string;
  needs?: string;
  open?: true;
  run(call: Call): unknown;
};

const STORE = '/api/v1/stores/:store';
const may = (right: string) => `btcpay.store.${right}`;
const PAGE = 50;
/** Version that these answers match. */
const VERSION = '2.4.1';

/** Calls of the shop, and of people with a refund's link (`open`). */
function routes({ state, webhookUrl, token }: BtcpayContext): Route[] {
  const invoiceOf = (id: string): Invoice => {
    const invoice = state.invoices.get(id);
    if (!invoice) throw notFound('invoice');
    return invoice;
  };
  const pullOf = (id: string): PullPayment => {
    const pull = state.pullPayments.get(id);
    if (!pull) throw notFound('pullpayment');
    return pull;
  };
  const model = (invoice: Invoice) => invoiceModel(state, invoice);
  return [
    {
      method: 'POST',
      path: `${STORE}/invoices`,
      needs: may('cancreateinvoice'),
      run({ body }) {
        const { amount, currency, metadata, checkout } = read(newInvoice, body);
        const { expirationMinutes, monitoringMinutes, ...rest } = checkout;
        return model(
          createInvoice(state, {
            price: amount,
            currency,
            metadata,
            checkout: rest,
            lifetimeSeconds: expirationMinutes * 60,
            monitoringSeconds: monitoringMinutes * 60,
          }),
        );
      },
    },
    {
      method: 'GET',
      path: `${STORE}/invoices`,
      needs: may('canviewinvoices'),
      run({ query }) {
        const skip = Number(query.skip ?? 0);
        const found = state.invoices
          .all()
          .filter(({ metadata }) => query.orderId === undefined || metadata.orderId === query.orderId)
          .filter(({ createdAt }) => createdAt >= Number(query.startDate ?? 0))
          .toReversed();
        return found.slice(skip, skip + Number(query.take ?? PAGE)).map(model);
      },
    },
    {
      method: 'GET',
      path: `${STORE}/invoices/:id`,
      needs: may('canviewinvoices'),
      run: ({ id }) => model(invoiceOf(id)),
    },
    {
      method: 'GET',
      path: `${STORE}/invoices/:id/payment-methods`,
      needs: may('canviewinvoices'),
      run: ({ id, query }) => paymentMethodModels(invoiceOf(id), query.onlyAccountedPayments !== 'false'),
    },
    {
      method: 'POST',
      path: `${STORE}/invoices/:id/status`,
      needs: may('canmodifyinvoices'),
      run: ({ id, body }) => model(mark(state, invoiceOf(id), read(newStatus, body).status)),
    },
    {
      method: 'POST',
      path: `${STORE}/invoices/:id/refund`,
      needs: may('cancreatenonapprovedpullpayments'),
      run({ id, body }) {
        const { name, description, customAmount: amount, customCurrency: currency } = read(newRefund, body);
        return pullPaymentModel(
          state,
          refundInvoice(state, invoiceOf(id), { name, description, amount, currency }),
        );
      },
    },
    {
      method: 'GET',
      path: `${STORE}/pull-payments`,
      needs: may('canviewpullpayments'),
      run: ({ query }) =>
        state.pullPayments
          .all()
          .filter(({ archived }) => !archived || query.includeArchived === 'true')
          .toReversed()
          .map(pull => pullPaymentModel(state, pull)),
    },
    {
      method: 'GET',
      path: '/api/v1/pull-payments/:id',
      open: true,
      run: ({ id }) => pullPaymentModel(state, pullOf(id)),
    },
    {
      method: 'GET',
      path: '/api/v1/pull-payments/:id/payouts',
      open: true,
      run({ id, query }) {
        const pull = pullOf(id);
        return pull.payouts
          .filter(({ state }) => state !== 'Cancelled' || query.includeCancelled === 'true')
          .map(payout => payoutModel(pull, payout));
      },
    },
    {
      method: 'POST',
      path: '/api/v1/pull-payments/:id/payouts',
      open: true,
      run({ id, body }) {
        const pull = pullOf(id);
        const { destination, amount } = read(newPayout, body);
        return payoutModel(pull, claim(state, pull, destination, amount));
      },
    },
    {
      method: 'GET',
      path: '/api/v1/api-keys/current',
      run: () => ({ apiKey: token, label: 'The shop', permissions: rightsOf(state) }),
    },
    {
      method: 'GET',
      path: '/api/v1/server/info',
      run: () => ({
        version: VERSION,
        onion: null,
        supportedPaymentMethods: ['BTC-CHAIN'],
        fullySynched: true,
        syncStatus: [],
      }),
    },
    {
      method: 'GET',
      path: `${STORE}/payment-methods`,
      needs: may('canviewstoresettings'),
      run: () => [{ paymentMethodId: 'BTC-CHAIN', enabled: true }],
    },
    {
      method: 'GET',
      path: `${STORE}/webhooks`,
      needs: may('webhooks.canmodifywebhooks'),
      run: () => [webhookModel(webhookUrl)],
    },
    {
      method: 'GET',
      path: `${STORE}/rates`,
      needs: may('canviewstoresettings'),
      run({ query }) {
        const pair = query.currencyPair ?? '';
        const rate = rateOf(state, pair.replace(/^BTC_/, ''));
        return [
          rate === undefined
            ? { currencyPair: pair, rate: null, errors: [`No rate for ${pair}`] }
            : { currencyPair: pair, rate: money(rate), errors: [] },
        ];
      },
    },
  ];
}

/** Mounts BTCPay Server's Greenfield API of one store, with its key, faults and refusals. */
export function mountBtcpayApi(app: FastifyInstance, context: BtcpayContext): void {
  app.register(async api => {
    for (const route of routes(context)) {
      api.route({
        method: route.method,
        url: route.path,
        handler: (request, reply) => answer(context, route, request, reply),
      });
    }
  });
}

async function answer(
  { state, faults, token, onAnswer }: BtcpayContext,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { store, id = '' } = request.params as { store?: string; id?: string };
  const path = request.url.split('?')[0]!;
  let fault: ApiAction | undefined;
  let said: { status: number; body: unknown };
  try {
    if (!route.open) authenticate(request, token);
    if (store !== undefined && store !== state.storeId) throw notFound('store');
    if (route.needs) requireRight(rightsOf(state), route.needs, state.storeId);
    fault = faults.takeApi('btcpay', request.method, path);
    if (fault === 'hang') return reply.hijack();
    if (fault === 'drop') return dropConnection(reply);
    if (fault === '403') throw lacksRight(route.needs ?? 'unrestricted');
    if (fault === '429' || fault === '500' || fault === '409')
      throw new BtcpayRefusal(Number(fault), 'generic-error', 'Try again later');
    if (typeof fault === 'object' && 'delayBefore' in fault) await sleep(fault.delayBefore);
    const query = request.query as Call['query'];
    said = { status: 200, body: route.run({ body: request.body, query, id }) };
  } catch (error) {
    if (!(error instanceof BtcpayRefusal)) throw error;
    said = { status: error.status, body: error.body };
  }
  onAnswer?.({ method: route.method, path: route.path, request: request.body, ...said });
  if (fault === 'commitThenDropConnection') return dropConnection(reply);
  if (fault === '500AfterCommit') said = { status: 500, body: { code: 'generic-error', message: 'Fault' } };
  if (typeof fault === 'object' && 'delayAfterCommit' in fault) await sleep(fault.delayAfterCommit);
  const body = JSON.stringify(said.body);
  reply.status(said.status).type('application/json; charset=utf-8');
  return fault === 'truncateBody' ? truncate(reply, body) : reply.send(body);
}

function authenticate(request: FastifyRequest, token: string): void {
  const given = request.headers.authorization?.replace(/^token /, '') ?? '';
  if (!sameSecret(given, token))
    throw new BtcpayRefusal(401, 'unauthenticated', 'Authentication is required for accessing this endpoint');
}
