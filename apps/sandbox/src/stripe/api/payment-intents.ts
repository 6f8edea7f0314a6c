import type Stripe from 'stripe';
import { z } from 'zod';
import { amountRefusal } from '../charge-limits.ts';
import { invalid, missing, unexpectedState } from '../errors.ts';
import { cancelIntent, checkMethod, confirmIntent } from '../intents.ts';
import { newPaymentIntent, publicPaymentIntent } from '../objects/payment-intent.ts';
import { boolean, created, integer, mergeMetadata, metadata, text } from '../params.ts';
import { emit } from '../state.ts';
import { confirmation, confirmationFields, givenMethod } from './confirmation.ts';
import { liveCustomer } from './customers.ts';
import { type Call, type Endpoint, endpoint } from './endpoint.ts';
import { createdWithin, list, paging } from './list.ts';

const METHOD_TYPES = ['card', 'promptpay'];
const currencies = new Set(Intl.supportedValuesOf('currency').map(code => code.toLowerCase()));

const fields = {
  ...confirmationFields,
  amount: integer.optional(),
  currency: text.optional(),
  customer: text.optional(),
  description: text.optional(),
  metadata: metadata.optional(),
  allowed_payment_method_types: z.array(text).optional(),
  receipt_email: text.optional(),
  setup_future_usage: z.enum(['', 'off_session', 'on_session']).optional(),
  statement_descriptor: text.max(22).optional(),
  statement_descriptor_suffix: text.max(22).optional(),
};
type Fields = z.output<z.ZodObject<typeof fields>>;

function find(call: Call, id: string, clientSecret?: string): Stripe.PaymentIntent {
  const intent = call.state.intents.get(id);
  if (!intent) throw missing('payment_intent', id, 'intent');
  if (call.publishable && clientSecret === undefined) {
    throw invalid('Missing required param: client_secret.', {
      code: 'parameter_missing',
      param: 'client_secret',
    });
  }
  if (clientSecret !== undefined && clientSecret !== intent.client_secret) {
    throw invalid(
      'The client_secret provided does not match any associated PaymentIntent on this account. Ensure the provided client_secret and account are correct.',
      { param: 'client_secret' },
    );
  }
  return intent;
}

const shown = (call: Call, intent: Stripe.PaymentIntent) =>
  call.publishable ? publicPaymentIntent(intent) : intent;

function checkAmount({ state }: Call, amount: number, currency: string): void {
  if (amount < 1) {
    throw invalid('This value must be greater than or equal to 1.', {
      code: 'parameter_invalid_integer',
      param: 'amount',
    });
  }
  if (!currencies.has(currency)) throw invalid(`Invalid currency: ${currency}.`, { param: 'currency' });
  const refusal = amountRefusal(state, amount, currency);
  if (refusal) throw refusal;
}

function checkTypes(types: string[] | undefined): void {
  const wrong = types?.find(type => !METHOD_TYPES.includes(type));
  if (wrong === undefined) return;
  throw invalid(
    `The payment method type "${wrong}" is invalid. Please ensure the provided type is activated in your dashboard (https://dashboard.stripe.com/account/payments/settings) and your account is enabled for any preview features that you are trying to use.`,
    { code: 'payment_intent_invalid_parameter', param: 'allowed_payment_method_types' },
  );
}

/** Sets what both create and update can set. */
function change(call: Call, intent: Stripe.PaymentIntent, given: Fields): Stripe.PaymentIntent {
  const amount = given.amount ?? intent.amount;
  const currency = given.currency?.toLowerCase() ?? intent.currency;
  if (amount !== intent.amount || currency !== intent.currency) checkAmount(call, amount, currency);
  checkTypes(given.allowed_payment_method_types);
  const customer = given.customer ? liveCustomer(call.state, given.customer).id : intent.customer;
  const next: Stripe.PaymentIntent = {
    ...intent,
    amount,
    currency,
    customer,
    description: given.description ?? intent.description,
    metadata: mergeMetadata(intent.metadata, given.metadata),
    payment_method_types: given.allowed_payment_method_types ?? intent.payment_method_types,
    receipt_email: given.receipt_email ?? intent.receipt_email,
    setup_future_usage:
      given.setup_future_usage === undefined ? intent.setup_future_usage : given.setup_future_usage || null,
    statement_descriptor: given.statement_descriptor ?? intent.statement_descriptor,
    statement_descriptor_suffix: given.statement_descriptor_suffix ?? intent.statement_descriptor_suffix,
  };
  return { ...next, payment_method_options: options(next, given) };
}

function options(intent: Stripe.PaymentIntent, given: Fields): Stripe.PaymentIntent.PaymentMethodOptions {
  const old = intent.payment_method_options ?? {};
  const request = given.payment_method_options?.card?.request_three_d_secure;
  return {
    ...(intent.payment_method_types.includes('card') && {
      card: {
        installments: null,
        mandate_options: null,
        network: null,
        request_three_d_secure: request ?? old.card?.request_three_d_secure ?? 'automatic',
      },
    }),
    ...(intent.payment_method_types.includes('promptpay') && { promptpay: {} }),
  };
}

/** Sets a payment method without confirming. */
function choose(call: Call, intent: Stripe.PaymentIntent, given: Fields): Stripe.PaymentIntent {
  const method = givenMethod(call, given);
  if (!method) return intent;
  checkMethod(call.state, intent, method);
  return { ...intent, payment_method: method.id, status: 'requires_confirmation' };
}

const createFields = {
  ...fields,
  amount: integer,
  currency: text.min(1),
  automatic_payment_methods: z
    .strictObject({ enabled: boolean, allow_redirects: z.enum(['always', 'never']).optional() })
    .optional(),
  capture_method: z.enum(['automatic', 'automatic_async']).optional(),
  confirm: boolean.optional(),
  confirmation_method: z.enum(['automatic', 'manual']).optional(),
};

function create(call: Call, given: z.output<z.ZodObject<typeof createFields>>): Stripe.PaymentIntent {
  const { state, cause } = call;
  for (const name of ['off_session', 'error_on_requires_action', 'return_url', 'mandate_data'] as const) {
    if (given[name] !== undefined && !given.confirm) {
      throw invalid(
        `The parameter \`${name}\` cannot be passed when creating a PaymentIntent unless \`confirm\` is set to true.`,
        {
          param: name,
        },
      );
    }
  }
  if (given.off_session && given.setup_future_usage) {
    throw invalid('You cannot provide both `off_session=true` and `setup_future_usage`.', {
      param: 'setup_future_usage',
    });
  }
  const types = given.allowed_payment_method_types;
  const id = state.ids.next('pi_3', 23);
  const empty = newPaymentIntent(
    id,
    state.ids.next('', 25),
    state.clock.seconds(),
    given.amount,
    given.currency.toLowerCase(),
  );
  const blank: Stripe.PaymentIntent = {
    ...empty,
    automatic_payment_methods: {
      allow_redirects: given.automatic_payment_methods?.allow_redirects ?? 'always',
      enabled: true,
    },
    allowed_payment_method_types: (types ?? null) as Stripe.PaymentIntent['allowed_payment_method_types'],
    payment_method_types:
      types ?? METHOD_TYPES.filter(type => type === 'card' || given.currency.toLowerCase() === 'thb'),
    capture_method: given.capture_method ?? 'automatic_async',
    confirmation_method: given.confirmation_method ?? 'automatic',
  };
  checkAmount(call, blank.amount, blank.currency);
  const made = choose(call, change(call, blank, given), given);
  const intent = state.intents.put(id, made);
  emit(state, cause, 'payment_intent.created', intent);
  if (!given.confirm) return intent;
  // The method is chosen already; reading it again would create a second one.
  const how = confirmation(call, { ...given, payment_method: undefined, payment_method_data: undefined });
  return confirmIntent(state, cause, intent, how);
}

export const paymentIntentEndpoints: Endpoint[] = [
  endpoint('POST', '/v1/payment_intents', createFields, create),
  endpoint('GET', '/v1/payment_intents', { ...paging, created, customer: text.optional() }, (call, given) =>
    list(
      call,
      call.state.intents.all(),
      given,
      row => createdWithin(row, given.created) && (!given.customer || row.customer === given.customer),
    ),
  ),
  endpoint(
    'GET',
    '/v1/payment_intents/:id',
    { client_secret: text.optional() },
    (call, given, id) => shown(call, find(call, id, given.client_secret)),
    'publishable',
  ),
  endpoint('POST', '/v1/payment_intents/:id', fields, (call, given, id) => {
    const intent = find(call, id, given.client_secret);
    const onlyNotes = Object.keys(given).every(name =>
      ['metadata', 'description', 'receipt_email', 'expand'].includes(name),
    );
    if (
      !onlyNotes &&
      !['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(intent.status)
    ) {
      throw unexpectedState(
        `This PaymentIntent could not be updated because it has a status of ${intent.status}. You may only update the status of a PaymentIntent with one of the following statuses: requires_payment_method, requires_confirmation, requires_action.`,
        { code: 'payment_intent_unexpected_state', payment_intent: intent },
      );
    }
    return call.state.intents.put(id, choose(call, change(call, intent, given), given));
  }),
  endpoint(
    'POST',
    '/v1/payment_intents/:id/confirm',
    {
      ...confirmationFields,
      receipt_email: fields.receipt_email,
      setup_future_usage: fields.setup_future_usage,
    },
    (call, given, id) => {
      const found = find(call, id, given.client_secret);
      if (call.publishable && found.confirmation_method === 'manual') {
        throw invalid(
          `This PaymentIntent ${id} cannot be confirmed using your publishable key because its \`confirmation_method\` is set to \`manual\`. Please use your secret key instead, or create a PaymentIntent with \`confirmation_method\` set to \`automatic\`.`,
        );
      }
      const intent =
        given.setup_future_usage || given.receipt_email
          ? {
              ...found,
              setup_future_usage: given.setup_future_usage || found.setup_future_usage,
              receipt_email: given.receipt_email ?? found.receipt_email,
            }
          : found;
      const how = confirmation(call, given);
      const stored = intent.payment_method_options?.card?.request_three_d_secure;
      return shown(
        call,
        confirmIntent(call.state, call.cause, intent, {
          ...how,
          requestThreeDs: how.requestThreeDs || stored === 'any' || stored === 'challenge',
        }),
      );
    },
    'publishable',
  ),
  endpoint(
    'POST',
    '/v1/payment_intents/:id/cancel',
    {
      cancellation_reason: z
        .enum(['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer'])
        .optional(),
    },
    (call, given, id) =>
      cancelIntent(call.state, call.cause, find(call, id), given.cancellation_reason ?? null),
  ),
];
