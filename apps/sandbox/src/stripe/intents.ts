import type Stripe from 'stripe';
import { askCustomer, type Confirmation, closeQuestion, mustAuthenticatePayment } from './authentication.ts';
import { booked } from './booking.ts';
import { authenticationRequired, type Decline } from './cards.ts';
import { cardRefusal, invalid, type StripeRefusal, unexpectedState } from './errors.ts';
import { attach, chargeDecline, checkUsable, testCardOf } from './methods.ts';
import { newCharge } from './objects/charge.ts';
import { promptPayCode } from './promptpay.ts';
import { type Cause, emit, later, type StripeState } from './state.ts';

/**
 * Stripe books a charge a moment after its answer (`capture_method: automatic_async`), unless asked
 * to book it before.
 */
const BOOKING_MS = 100;
const DISPUTE_MS = 500;
/** With manual confirmation a payment lapses unless it is confirmed again within this time of the question. */
const LAPSE_MS = 60 * 60_000;

type Outcome = { intent: Stripe.PaymentIntent; refusal?: StripeRefusal };

const logUrl = (cause: Cause) =>
  `https://dashboard.stripe.com/test/workbench/logs?object=${cause.request ?? ''}`;

export function save(
  state: StripeState,
  intent: Stripe.PaymentIntent,
  change: Partial<Stripe.PaymentIntent>,
) {
  return state.intents.put(intent.id, { ...intent, ...change });
}

/** Confirms a payment. Throws 402 if it is declined, 400 if its state forbids it. */
export function confirmIntent(
  state: StripeState,
  cause: Cause,
  intent: Stripe.PaymentIntent,
  how: Confirmation,
): Stripe.PaymentIntent {
  if (intent.status === 'succeeded') {
    throw stateRefusal(
      intent,
      'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.',
    );
  }
  if (!['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(intent.status)) {
    throw stateRefusal(
      intent,
      `You cannot confirm this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be confirmed: requires_confirmation, requires_action.`,
    );
  }
  const method = how.method ?? state.paymentMethods.get(String(intent.payment_method));
  if (!method) {
    throw stateRefusal(
      intent,
      "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.",
    );
  }
  checkMethod(state, intent, method);
  const question = state.authentications.get(intent.id);
  const isAnswered =
    intent.status === 'requires_confirmation' &&
    question?.state === 'completed' &&
    question.method === method.id;
  closeQuestion(state, intent.id, 'failed');
  const chosen = save(state, intent, {
    payment_method: method.id,
    last_payment_error: null,
    next_action: null,
  });
  if (method.type === 'promptpay') return showQrCode(state, cause, chosen);
  const { intent: after, refusal } =
    !isAnswered && mustAuthenticatePayment(state, method, how)
      ? authenticate(state, cause, chosen, method, how)
      : chargeCard(state, cause, chosen, method, isAnswered);
  if (refusal) throw refusal;
  return after;
}

/** Refuses a method that this payment may not use. */
export function checkMethod(
  state: StripeState,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
): void {
  if (intent.payment_method_types.length && !intent.payment_method_types.includes(method.type)) {
    throw invalid(
      `The PaymentMethod provided (${method.type}) is not allowed for this PaymentIntent. Please attach a PaymentMethod of one of the following types: ${intent.payment_method_types.join(', ')}.`,
      { param: 'payment_method' },
    );
  }
  if (method.type === 'promptpay') checkPromptPay(intent, method);
  checkUsable(state, method, intent.customer as string | null);
}

function checkPromptPay(intent: Stripe.PaymentIntent, method: Stripe.PaymentMethod): void {
  if (intent.currency !== 'thb') {
    throw invalid(
      `The currency provided (${intent.currency}) is invalid for one or more payment method types on this PaymentIntent (promptpay). PromptPay supports thb only.`,
      { param: 'currency' },
    );
  }
  if (!method.billing_details.email) {
    throw invalid('You must provide `billing_details[email]` to confirm a PromptPay PaymentIntent.', {
      code: 'parameter_missing',
      param: 'billing_details[email]',
    });
  }
}

function authenticate(
  state: StripeState,
  cause: Cause,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  how: Confirmation,
): Outcome {
  if (how.offSession || how.errorOnAction) return fail(state, cause, intent, method, authenticationRequired);
  const asked = save(state, intent, {
    status: 'requires_action',
    next_action: askCustomer(state, intent.id, method.id, how),
  });
  if (intent.confirmation_method === 'manual') {
    const { token } = state.authentications.get(intent.id)!;
    later(state, LAPSE_MS, { kind: 'lapse', intent: intent.id, token });
  }
  emit(state, cause, 'payment_intent.requires_action', asked);
  return { intent: asked };
}

export function chargeCard(
  state: StripeState,
  cause: Cause,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  authenticated: boolean,
): Outcome {
  const decline = chargeDecline(state, method);
  if (decline) return fail(state, cause, intent, method, decline, authenticated);
  return { intent: succeed(state, cause, intent, method, authenticated) };
}

function fail(
  state: StripeState,
  cause: Cause,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  decline: Decline,
  authenticated = false,
): Outcome {
  const charge = newCharge(state.ids.next('ch_'), state.clock.seconds(), intent, method, {
    decline,
    authenticated,
  });
  state.charges.put(charge.id, charge);
  const refusal = cardRefusal({ ...decline, charge: charge.id, payment_method: method });
  const failed = save(state, intent, {
    status: 'requires_payment_method',
    payment_method: null,
    next_action: null,
    latest_charge: charge.id,
    last_payment_error: { ...refusal.body } as Stripe.PaymentIntent.LastPaymentError,
  });
  emit(state, cause, 'charge.failed', charge);
  emit(state, cause, 'payment_intent.payment_failed', failed);
  Object.assign(refusal.body, { payment_intent: failed, request_log_url: logUrl(cause) });
  return { intent: failed, refusal };
}

export function succeed(
  state: StripeState,
  cause: Cause,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  authenticated: boolean,
) {
  const made = newCharge(state.ids.next('ch_'), state.clock.seconds(), intent, method, { authenticated });
  state.charges.put(made.id, made);
  const atOnce = intent.capture_method === 'automatic';
  const charge = atOnce ? booked(state, made) : made;
  const secret = state.cards.get(method.id);
  if (intent.customer && intent.setup_future_usage) {
    attach(state, cause, method, intent.customer as string);
    if (secret && intent.setup_future_usage === 'off_session')
      state.cards.put(method.id, { ...secret, setUp: true });
  } else if (secret && !method.customer) {
    state.cards.put(method.id, { ...secret, used: true });
  }
  const paid = save(state, intent, {
    status: 'succeeded',
    amount_received: intent.amount,
    latest_charge: charge.id,
    next_action: null,
    processing: null,
  });
  emit(state, cause, 'charge.succeeded', charge);
  emit(state, cause, 'payment_intent.succeeded', paid);
  if (!atOnce) later(state, BOOKING_MS, { kind: 'bookCharge', charge: charge.id });
  const dispute = testCardOf(state, method)?.dispute;
  if (dispute) {
    later(state, DISPUTE_MS, {
      kind: 'openDispute',
      charge: charge.id,
      reason: dispute.reason,
      inquiry: dispute.inquiry ?? false,
    });
  }
  return paid;
}

function showQrCode(state: StripeState, cause: Cause, intent: Stripe.PaymentIntent) {
  const page = `${state.origin}/promptpay/${intent.id}`;
  const shown = save(state, intent, {
    status: 'requires_action',
    next_action: {
      type: 'promptpay_display_qr_code',
      promptpay_display_qr_code: {
        data: promptPayCode(intent.amount, intent.id.slice(-18).toUpperCase()),
        hosted_instructions_url: page,
        image_url_png: `${page}/qr.png`,
        image_url_svg: `${page}/qr.svg`,
      },
    },
  });
  emit(state, cause, 'payment_intent.requires_action', shown);
  return shown;
}

/** Cancels a payment that has taken no money yet. */
export function cancelIntent(
  state: StripeState,
  cause: Cause,
  intent: Stripe.PaymentIntent,
  reason: Stripe.PaymentIntent.CancellationReason | null,
) {
  if (
    !['requires_payment_method', 'requires_confirmation', 'requires_action', 'processing'].includes(
      intent.status,
    )
  ) {
    throw stateRefusal(
      intent,
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_confirmation, requires_action, processing.`,
    );
  }
  closeQuestion(state, intent.id, 'failed');
  const canceled = save(state, intent, {
    status: 'canceled',
    canceled_at: state.clock.seconds(),
    cancellation_reason: reason,
    next_action: null,
  });
  emit(state, cause, 'payment_intent.canceled', canceled);
  return canceled;
}

export function stateRefusal(intent: Stripe.PaymentIntent, message: string): StripeRefusal {
  return unexpectedState(message, { code: 'payment_intent_unexpected_state', payment_intent: intent });
}
