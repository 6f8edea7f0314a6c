import type Stripe from 'stripe';
import { closeQuestion } from './authentication.ts';
import { chargeCard, save, stateRefusal, succeed } from './intents.ts';
import { type Cause, emit, type StripeState } from './state.ts';

/**
 * Records the answer to the 3-D Secure question. A card may still be declined afterwards. With manual
 * confirmation no money moves and no event is sent: the shop has to confirm again.
 */
export function answerPayment(
  state: StripeState,
  cause: Cause,
  intent: Stripe.PaymentIntent,
  answer: 'completed' | 'failed',
) {
  closeQuestion(state, intent.id, answer);
  const method = state.paymentMethods.get(String(intent.payment_method))!;
  if (answer === 'completed' && intent.confirmation_method === 'manual')
    return save(state, intent, { status: 'requires_confirmation', next_action: null });
  if (answer === 'completed')
    return chargeCard(state, cause, { ...intent, next_action: null }, method, true).intent;
  return refuse(state, cause, intent, method, {
    code: 'payment_intent_authentication_failure',
    message:
      'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
  });
}

/** Ends a payment whose question, answered or not, was not followed by another confirmation in time. */
export function lapseQuestion(state: StripeState, cause: Cause, asked: { intent: string; token: string }) {
  const intent = state.intents.get(asked.intent)!;
  const isNewest = state.authentications.get(intent.id)?.token === asked.token;
  if (!isNewest || !['requires_action', 'requires_confirmation'].includes(intent.status)) return;
  closeQuestion(state, intent.id, 'failed');
  const method = state.paymentMethods.get(String(intent.payment_method))!;
  refuse(state, cause, intent, method, {
    code: 'payment_intent_payment_attempt_expired',
    message: 'The payment attempt for this PaymentIntent expired. Confirm it again with a payment method.',
  });
}

/**
 * The customer pays (`true`) or lets the QR code expire (`false`). Throws if the payment does not
 * wait for it.
 */
export function answerPromptPay(
  state: StripeState,
  cause: Cause,
  intent: Stripe.PaymentIntent,
  paid: boolean,
) {
  if (intent.status !== 'requires_action' || !intent.next_action?.promptpay_display_qr_code) {
    throw stateRefusal(
      intent,
      `This PaymentIntent waits for no PromptPay payment: its status is ${intent.status}.`,
    );
  }
  const method = state.paymentMethods.get(String(intent.payment_method))!;
  if (paid) return succeed(state, cause, intent, method, false);
  return refuse(state, cause, intent, method, {
    code: 'payment_intent_payment_attempt_expired',
    message: 'The payment attempt for this PaymentIntent expired. Confirm it again with a payment method.',
  });
}

function refuse(
  state: StripeState,
  cause: Cause,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  error: { code: Stripe.PaymentIntent.LastPaymentError.Code; message: string },
) {
  const refused = save(state, intent, {
    status: 'requires_payment_method',
    payment_method: null,
    next_action: null,
    last_payment_error: {
      ...error,
      doc_url: `https://docs.stripe.com/error-codes/${error.code.replaceAll('_', '-')}`,
      payment_method: method,
      type: 'invalid_request_error',
    },
  });
  emit(state, cause, 'payment_intent.payment_failed', refused);
  return refused;
}
