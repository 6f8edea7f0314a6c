import type Stripe from 'stripe';
import { pick } from './pick.ts';

/** A SetupIntent before its first confirmation. Its usage is always `off_session`. */
export function newSetupIntent(id: string, secret: string, created: number): Stripe.SetupIntent {
  return {
    id,
    object: 'setup_intent',
    allowed_payment_method_types: null,
    application: null,
    automatic_payment_methods: null,
    cancellation_reason: null,
    client_secret: `${id}_secret_${secret}`,
    created,
    customer: null,
    customer_account: null,
    description: null,
    excluded_payment_method_types: null,
    flow_directions: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: false,
    mandate: null,
    metadata: {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: [],
    single_use_mandate: null,
    status: 'requires_payment_method',
    usage: 'off_session',
  } satisfies Stripe.SetupIntent;
}

/** One attempt to set up a card. */
export function newSetupAttempt(
  id: string,
  created: number,
  setup: Stripe.SetupIntent,
  method: Stripe.PaymentMethod,
): Stripe.SetupAttempt {
  return {
    id,
    object: 'setup_attempt',
    application: null,
    created,
    customer: setup.customer,
    customer_account: null,
    flow_directions: null,
    livemode: false,
    on_behalf_of: null,
    payment_method: method.id,
    payment_method_details: {
      card: {
        brand: method.card!.brand,
        checks: null,
        country: method.card!.country,
        exp_month: method.card!.exp_month,
        exp_year: method.card!.exp_year,
        fingerprint: method.card!.fingerprint,
        funding: method.card!.funding,
        last4: method.card!.last4,
        network: method.card!.brand,
        three_d_secure: null,
        wallet: null,
      },
      type: 'card',
    },
    setup_error: null,
    setup_intent: setup.id,
    status: 'succeeded',
    usage: 'off_session',
  } satisfies Stripe.SetupAttempt;
}

const PUBLIC = [
  'id',
  'object',
  'automatic_payment_methods',
  'cancellation_reason',
  'client_secret',
  'created',
  'description',
  'last_setup_error',
  'livemode',
  'next_action',
  'payment_method',
  'payment_method_configuration_details',
  'payment_method_types',
  'status',
  'usage',
] as const;

/** Members of a setup that a publishable key may see. */
export const publicSetupIntent = (setup: Stripe.SetupIntent) => pick(setup, PUBLIC);
