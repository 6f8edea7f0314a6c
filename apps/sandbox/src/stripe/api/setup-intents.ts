import type Stripe from 'stripe';
import { z } from 'zod';
import { invalid, missing } from '../errors.ts';
import { checkUsable } from '../methods.ts';
import { newSetupIntent, publicSetupIntent } from '../objects/setup-intent.ts';
import { boolean, created, mergeMetadata, metadata, text } from '../params.ts';
import { cancelSetup, confirmSetup } from '../setups.ts';
import { emit } from '../state.ts';
import { confirmation, confirmationFields, givenMethod } from './confirmation.ts';
import { liveCustomer } from './customers.ts';
import { type Call, type Endpoint, endpoint } from './endpoint.ts';
import { createdWithin, list, paging } from './list.ts';

const { off_session: _, error_on_requires_action: __, ...setupFields } = confirmationFields;
const createFields = {
  ...setupFields,
  automatic_payment_methods: z
    .strictObject({ enabled: boolean, allow_redirects: z.enum(['always', 'never']).optional() })
    .optional(),
  confirm: boolean.optional(),
  customer: text.optional(),
  description: text.optional(),
  metadata: metadata.optional(),
  allowed_payment_method_types: z.array(z.enum(['card'])).optional(),
  usage: z.enum(['off_session', 'on_session']).optional(),
};

function find(call: Call, id: string, clientSecret?: string): Stripe.SetupIntent {
  const setup = call.state.setups.get(id);
  if (!setup) throw missing('setupintent', id, 'intent');
  if (call.publishable && clientSecret === undefined) {
    throw invalid('Missing required param: client_secret.', {
      code: 'parameter_missing',
      param: 'client_secret',
    });
  }
  if (clientSecret !== undefined && clientSecret !== setup.client_secret) {
    throw invalid(
      'The client_secret provided does not match the client_secret associated with the SetupIntent.',
      {
        param: 'client_secret',
      },
    );
  }
  return setup;
}

const shown = (call: Call, setup: Stripe.SetupIntent) =>
  call.publishable ? publicSetupIntent(setup) : setup;

function create(call: Call, given: z.output<z.ZodObject<typeof createFields>>): Stripe.SetupIntent {
  const { state, cause } = call;
  const customer = given.customer ? liveCustomer(state, given.customer).id : null;
  const method = givenMethod(call, given);
  if (method) checkUsable(state, method, customer);
  const id = state.ids.next('seti_1', 23);
  const setup = state.setups.put(id, {
    ...newSetupIntent(id, state.ids.next('', 25), state.clock.seconds()),
    automatic_payment_methods: {
      allow_redirects: given.automatic_payment_methods?.allow_redirects ?? 'always',
      enabled: true,
    },
    allowed_payment_method_types: given.allowed_payment_method_types ?? null,
    customer,
    description: given.description ?? null,
    metadata: mergeMetadata({}, given.metadata),
    payment_method: method?.id ?? null,
    payment_method_options: {
      card: {
        mandate_options: null,
        network: null,
        request_three_d_secure: given.payment_method_options?.card?.request_three_d_secure ?? 'automatic',
      },
    },
    payment_method_types: ['card'],
    status: method ? 'requires_confirmation' : 'requires_payment_method',
  });
  emit(state, cause, 'setup_intent.created', setup);
  if (!given.confirm) return setup;
  return confirmSetup(
    state,
    cause,
    setup,
    confirmation(call, { ...given, payment_method: undefined, payment_method_data: undefined }),
  );
}

export const setupIntentEndpoints: Endpoint[] = [
  endpoint('POST', '/v1/setup_intents', createFields, create),
  endpoint('GET', '/v1/setup_intents', { ...paging, created, customer: text.optional() }, (call, given) =>
    list(
      call,
      call.state.setups
        .all()
        .filter(
          row => createdWithin(row, given.created) && (!given.customer || row.customer === given.customer),
        ),
      given,
    ),
  ),
  endpoint(
    'GET',
    '/v1/setup_intents/:id',
    { client_secret: text.optional() },
    (call, given, id) => shown(call, find(call, id, given.client_secret)),
    'publishable',
  ),
  endpoint(
    'POST',
    '/v1/setup_intents/:id/confirm',
    setupFields,
    (call, given, id) => {
      const setup = find(call, id, given.client_secret);
      return shown(call, confirmSetup(call.state, call.cause, setup, confirmation(call, given)));
    },
    'publishable',
  ),
  endpoint(
    'POST',
    '/v1/setup_intents/:id/cancel',
    { cancellation_reason: z.enum(['abandoned', 'duplicate', 'requested_by_customer']).optional() },
    (call, given, id) =>
      cancelSetup(call.state, call.cause, find(call, id), given.cancellation_reason ?? null),
  ),
  endpoint('GET', '/v1/setup_attempts', { ...paging, created, setup_intent: text }, (call, given) => {
    const rows = call.state.setupAttempts.all().filter(row => createdWithin(row, given.created));
    return list(
      call,
      rows.filter(row => row.setup_intent === given.setup_intent),
      given,
    );
  }),
];
