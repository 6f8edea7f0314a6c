import type Stripe from 'stripe';
import { z } from 'zod';
import { isLoopback } from '../../loopback.ts';
import { invalid, missing } from '../errors.ts';
import { created, mergeMetadata, metadata, text } from '../params.ts';
import { API_VERSION } from '../state.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { createdWithin, list, paging } from './list.ts';

/** Read-only records: the account, charges, events, and webhook endpoints. */
export const recordEndpoints: Endpoint[] = [
  endpoint('GET', '/v1/account', {}, () => account),
  endpoint(
    'GET',
    '/v1/charges',
    { ...paging, created, customer: text.optional(), payment_intent: text.optional() },
    (call, given) =>
      list(
        call,
        call.state.charges.all(),
        given,
        row =>
          createdWithin(row, given.created) &&
          (!given.customer || row.customer === given.customer) &&
          (!given.payment_intent || row.payment_intent === given.payment_intent),
      ),
  ),
  endpoint('GET', '/v1/charges/:id', {}, ({ state }, _, id) => {
    const charge = state.charges.get(id);
    if (!charge) throw missing('charge', id);
    return charge;
  }),
  endpoint(
    'GET',
    '/v1/events',
    { ...paging, created, type: text.optional(), types: z.array(text).optional() },
    (call, given) =>
      list(
        call,
        call.state.events.all(),
        given,
        row =>
          createdWithin(row, given.created) &&
          (!given.type || matches(row.type, given.type)) &&
          (!given.types || given.types.some(type => matches(row.type, type))),
      ),
  ),
  endpoint('GET', '/v1/events/:id', {}, ({ state }, _, id) => {
    const event = state.events.get(id);
    if (!event) throw missing('event', id);
    return event;
  }),
  endpoint('GET', '/v1/webhook_endpoints', paging, (call, given) =>
    list(call, call.state.endpoints.all().map(withoutSecret), given),
  ),
  endpoint('GET', '/v1/webhook_endpoints/:id', {}, ({ state }, _, id) => {
    const found = state.endpoints.get(id);
    if (!found) throw missing('webhook endpoint', id);
    return withoutSecret(found);
  }),
  endpoint(
    'POST',
    '/v1/webhook_endpoints',
    {
      url: z.url(),
      enabled_events: z.array(text),
      description: text.optional(),
      metadata: metadata.optional(),
      api_version: text.optional(),
    },
    ({ state }, given) => {
      if (!isLoopback(new URL(given.url).hostname)) {
        throw invalid('Invalid URL: the sandbox delivers to this machine only.', {
          code: 'url_invalid',
          param: 'url',
        });
      }
      const id = state.ids.next('we_');
      return state.endpoints.put(
        id,
        newWebhookEndpoint(id, state.clock.seconds(), {
          url: given.url,
          enabledEvents: given.enabled_events,
          secret: state.ids.next('whsec_', 32),
          description: given.description ?? null,
          metadata: mergeMetadata({}, given.metadata),
        }),
      );
    },
  ),
];

/** The sandbox's account: Thai, with cards and PromptPay. */
const account = {
  id: 'acct_1Fixpoint0Sandbox',
  object: 'account',
  business_type: 'company',
  capabilities: { card_payments: 'active', promptpay_payments: 'active', transfers: 'active' },
  charges_enabled: true,
  country: 'TH',
  default_currency: 'thb',
  details_submitted: true,
  email: null,
  metadata: {},
  payouts_enabled: true,
  type: 'standard',
} satisfies Stripe.Account;

/** Whether an event type matches a filter: its name, a family such as `charge.*`, or `*`. */
export function matches(type: string, wanted: string): boolean {
  return wanted === '*' || wanted === type || (wanted.endsWith('.*') && type.startsWith(wanted.slice(0, -1)));
}

/** The secret is returned once, when the endpoint is created. */
const withoutSecret = ({ secret: _, ...endpoint }: Stripe.WebhookEndpoint): Stripe.WebhookEndpoint =>
  endpoint;

/** Creates a webhook endpoint. */
export function newWebhookEndpoint(
  id: string,
  createdAt: number,
  given: {
    url: string;
    enabledEvents: string[];
    secret: string;
    description: string | null;
    metadata: Stripe.Metadata;
  },
): Stripe.WebhookEndpoint {
  return {
    id,
    object: 'webhook_endpoint',
    api_version: API_VERSION,
    application: null,
    created: createdAt,
    description: given.description,
    enabled_events: given.enabledEvents,
    livemode: false,
    metadata: given.metadata,
    secret: given.secret,
    status: 'enabled',
    url: given.url,
  } satisfies Stripe.WebhookEndpoint;
}
