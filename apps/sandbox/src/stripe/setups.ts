import type Stripe from 'stripe';
import { askCustomer, type Confirmation, closeQuestion, mustAuthenticateSetup } from './authentication.ts';
import { authenticationRequired, type Decline } from './cards.ts';
import { cardRefusal, type StripeRefusal, unexpectedState } from './errors.ts';
import { attach, attachDecline, checkUsable } from './methods.ts';
import { newSetupAttempt } from './objects/setup-intent.ts';
import { type Cause, emit, type World } from './world.ts';

type Outcome = { setup: Stripe.SetupIntent; refusal?: StripeRefusal };

function save(world: World, setup: Stripe.SetupIntent, change: Partial<Stripe.SetupIntent>) {
  return world.setups.put(setup.id, { ...setup, ...change });
}

/** Confirms that a card may be saved. Throws 402 if the bank refuses, 400 if its state forbids it. */
export function confirmSetup(
  world: World,
  cause: Cause,
  setup: Stripe.SetupIntent,
  how: Confirmation,
): Stripe.SetupIntent {
  if (!['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(setup.status)) {
    throw stateRefusal(
      setup,
      setup.status === 'succeeded'
        ? 'You cannot confirm this SetupIntent because it has already succeeded.'
        : `You cannot confirm this SetupIntent because it has a status of ${setup.status}. Only a SetupIntent with one of the following statuses may be confirmed: requires_confirmation, requires_action.`,
    );
  }
  const method = how.method ?? world.paymentMethods.get(String(setup.payment_method));
  if (!method) {
    throw stateRefusal(
      setup,
      "You cannot confirm this SetupIntent because it's missing a payment method. You can either update the SetupIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.",
    );
  }
  checkUsable(world, method, setup.customer as string | null);
  closeQuestion(world, setup.id, 'failed');
  const chosen = save(world, setup, { payment_method: method.id, last_setup_error: null, next_action: null });
  const { setup: after, refusal } = mustAuthenticateSetup(world, method, how)
    ? authenticate(world, cause, chosen, method, how)
    : finish(world, cause, chosen, method);
  if (refusal) throw refusal;
  return after;
}

function authenticate(
  world: World,
  cause: Cause,
  setup: Stripe.SetupIntent,
  method: Stripe.PaymentMethod,
  how: Confirmation,
): Outcome {
  if (how.offSession || how.errorOnAction) return fail(world, cause, setup, method, authenticationRequired);
  const asked = save(world, setup, {
    status: 'requires_action',
    next_action: askCustomer(world, setup.id, how),
  });
  emit(world, cause, 'setup_intent.requires_action', asked);
  return { setup: asked };
}

function finish(
  world: World,
  cause: Cause,
  setup: Stripe.SetupIntent,
  method: Stripe.PaymentMethod,
): Outcome {
  const decline = attachDecline(world, method);
  if (decline) return fail(world, cause, setup, method, decline);
  const secret = world.cards.get(method.id);
  if (secret) world.cards.put(method.id, { ...secret, setUp: true });
  if (setup.customer) attach(world, cause, method, setup.customer as string);
  const succeeded = save(world, setup, {
    status: 'succeeded',
    next_action: null,
    latest_attempt: attempt(world, setup, method, 'succeeded'),
  });
  emit(world, cause, 'setup_intent.succeeded', succeeded);
  return { setup: succeeded };
}

function fail(
  world: World,
  cause: Cause,
  setup: Stripe.SetupIntent,
  method: Stripe.PaymentMethod,
  decline: Decline,
): Outcome {
  const refusal = cardRefusal({ ...decline, payment_method: method });
  const failed = save(world, setup, {
    status: 'requires_payment_method',
    payment_method: null,
    next_action: null,
    last_setup_error: { ...refusal.body } as Stripe.SetupIntent.LastSetupError,
    latest_attempt: attempt(world, setup, method, 'failed'),
  });
  emit(world, cause, 'setup_intent.setup_failed', failed);
  Object.assign(refusal.body, { setup_intent: failed });
  return { setup: failed, refusal };
}

/** The customer answered the 3-D Secure question of a setup. */
export function answerSetup(
  world: World,
  cause: Cause,
  setup: Stripe.SetupIntent,
  answer: 'completed' | 'failed',
) {
  closeQuestion(world, setup.id, answer);
  const method = world.paymentMethods.get(String(setup.payment_method))!;
  if (answer === 'completed') return finish(world, cause, { ...setup, next_action: null }, method).setup;
  const code = 'setup_intent_authentication_failure';
  const refused = save(world, setup, {
    status: 'requires_payment_method',
    payment_method: null,
    next_action: null,
    latest_attempt: attempt(world, setup, method, 'failed'),
    last_setup_error: {
      code,
      doc_url: 'https://docs.stripe.com/error-codes/setup-intent-authentication-failure',
      message:
        'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
      payment_method: method,
      type: 'invalid_request_error',
    },
  });
  emit(world, cause, 'setup_intent.setup_failed', refused);
  return refused;
}

/** Cancels a setup that saved nothing yet. */
export function cancelSetup(
  world: World,
  cause: Cause,
  setup: Stripe.SetupIntent,
  reason: Stripe.SetupIntent.CancellationReason | null,
) {
  if (!['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(setup.status)) {
    throw stateRefusal(
      setup,
      `You cannot cancel this SetupIntent because it has a status of ${setup.status}. Only a SetupIntent with one of the following statuses may be canceled: requires_payment_method, requires_confirmation, requires_action, processing.`,
    );
  }
  closeQuestion(world, setup.id, 'failed');
  const canceled = save(world, setup, { status: 'canceled', cancellation_reason: reason, next_action: null });
  emit(world, cause, 'setup_intent.canceled', canceled);
  return canceled;
}

function attempt(
  world: World,
  setup: Stripe.SetupIntent,
  method: Stripe.PaymentMethod,
  status: 'succeeded' | 'failed',
): string {
  const made = newSetupAttempt(world.ids.next('setatt_'), world.clock.seconds(), setup, method);
  world.setupAttempts.put(made.id, { ...made, status });
  return made.id;
}

function stateRefusal(setup: Stripe.SetupIntent, message: string): StripeRefusal {
  return unexpectedState(message, { code: 'setup_intent_unexpected_state', setup_intent: setup });
}
