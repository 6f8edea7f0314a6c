import type Stripe from 'stripe';
import { askCustomer, type Confirmation, closeQuestion, mustAuthenticateSetup } from './authentication.ts';
import { authenticationRequired, type Decline } from './cards.ts';
import { cardRefusal, type StripeRefusal, unexpectedState } from './errors.ts';
import { attach, attachDecline, checkUsable } from './methods.ts';
import { newSetupAttempt } from './objects/setup-intent.ts';
import { type Cause, emit, type StripeState } from './state.ts';

type Outcome = { setup: Stripe.SetupIntent; refusal?: StripeRefusal };

function save(state: StripeState, setup: Stripe.SetupIntent, change: Partial<Stripe.SetupIntent>) {
  return state.setups.put(setup.id, { ...setup, ...change });
}

/** Confirms that a card may be saved. Throws 402 if the bank refuses, 400 if its state forbids it. */
export function confirmSetup(
  state: StripeState,
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
  const method = how.method ?? state.paymentMethods.get(String(setup.payment_method));
  if (!method) {
    throw stateRefusal(
      setup,
      "You cannot confirm this SetupIntent because it's missing a payment method. You can either update the SetupIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.",
    );
  }
  checkUsable(state, method, setup.customer as string | null);
  closeQuestion(state, setup.id, 'failed');
  const chosen = save(state, setup, { payment_method: method.id, last_setup_error: null, next_action: null });
  const { setup: after, refusal } = mustAuthenticateSetup(state, method, how)
    ? authenticate(state, cause, chosen, method, how)
    : finish(state, cause, chosen, method);
  if (refusal) throw refusal;
  return after;
}

function authenticate(
  state: StripeState,
  cause: Cause,
  setup: Stripe.SetupIntent,
  method: Stripe.PaymentMethod,
  how: Confirmation,
): Outcome {
  if (how.offSession || how.errorOnAction) return fail(state, cause, setup, method, authenticationRequired);
  const asked = save(state, setup, {
    status: 'requires_action',
    next_action: askCustomer(state, setup.id, method.id, how),
  });
  emit(state, cause, 'setup_intent.requires_action', asked);
  return { setup: asked };
}

function finish(
  state: StripeState,
  cause: Cause,
  setup: Stripe.SetupIntent,
  method: Stripe.PaymentMethod,
): Outcome {
  const decline = attachDecline(state, method);
  if (decline) return fail(state, cause, setup, method, decline);
  const secret = state.cards.get(method.id);
  if (secret) state.cards.put(method.id, { ...secret, setUp: true });
  if (setup.customer) attach(state, cause, method, setup.customer as string);
  const succeeded = save(state, setup, {
    status: 'succeeded',
    next_action: null,
    latest_attempt: attempt(state, setup, method, 'succeeded'),
  });
  emit(state, cause, 'setup_intent.succeeded', succeeded);
  return { setup: succeeded };
}

function fail(
  state: StripeState,
  cause: Cause,
  setup: Stripe.SetupIntent,
  method: Stripe.PaymentMethod,
  decline: Decline,
): Outcome {
  const refusal = cardRefusal({ ...decline, payment_method: method });
  const failed = save(state, setup, {
    status: 'requires_payment_method',
    payment_method: null,
    next_action: null,
    last_setup_error: { ...refusal.body } as Stripe.SetupIntent.LastSetupError,
    latest_attempt: attempt(state, setup, method, 'failed'),
  });
  emit(state, cause, 'setup_intent.setup_failed', failed);
  Object.assign(refusal.body, { setup_intent: failed });
  return { setup: failed, refusal };
}

/** Records the answer to the 3-D Secure question of a setup. */
export function answerSetup(
  state: StripeState,
  cause: Cause,
  setup: Stripe.SetupIntent,
  answer: 'completed' | 'failed',
) {
  closeQuestion(state, setup.id, answer);
  const method = state.paymentMethods.get(String(setup.payment_method))!;
  if (answer === 'completed') return finish(state, cause, { ...setup, next_action: null }, method).setup;
  const code = 'setup_intent_authentication_failure';
  const refused = save(state, setup, {
    status: 'requires_payment_method',
    payment_method: null,
    next_action: null,
    latest_attempt: attempt(state, setup, method, 'failed'),
    last_setup_error: {
      code,
      doc_url: 'https://docs.stripe.com/error-codes/setup-intent-authentication-failure',
      message:
        'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
      payment_method: method,
      type: 'invalid_request_error',
    },
  });
  emit(state, cause, 'setup_intent.setup_failed', refused);
  return refused;
}

/** Cancels a setup that has saved nothing yet. */
export function cancelSetup(
  state: StripeState,
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
  closeQuestion(state, setup.id, 'failed');
  const canceled = save(state, setup, { status: 'canceled', cancellation_reason: reason, next_action: null });
  emit(state, cause, 'setup_intent.canceled', canceled);
  return canceled;
}

function attempt(
  state: StripeState,
  setup: Stripe.SetupIntent,
  method: Stripe.PaymentMethod,
  status: 'succeeded' | 'failed',
): string {
  const made = newSetupAttempt(state.ids.next('setatt_'), state.clock.seconds(), setup, method);
  state.setupAttempts.put(made.id, { ...made, status });
  return made.id;
}

function stateRefusal(setup: Stripe.SetupIntent, message: string): StripeRefusal {
  return unexpectedState(message, { code: 'setup_intent_unexpected_state', setup_intent: setup });
}
