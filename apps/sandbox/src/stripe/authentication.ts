import type Stripe from 'stripe';
import { testCardOf } from './methods.ts';
import type { Authentication, StripeState } from './state.ts';

/** Options of a confirmation; the same members for payments and setups. */
export type Confirmation = {
  method: Stripe.PaymentMethod | undefined;
  /** The customer is absent and cannot answer. */
  offSession: boolean;
  /** Requests a refusal instead of a question to the customer. */
  errorOnAction: boolean;
  /** Requests 3-D Secure where the card only offers it. */
  requestThreeDs: boolean;
  returnUrl: string | null;
  /** The browser script shows the question itself, even with a return URL. */
  useStripeSdk: boolean;
};

/**
 * Whether the bank authenticates the customer before this payment (P27, docs.stripe.com/testing).
 */
export function mustAuthenticatePayment(
  state: StripeState,
  method: Stripe.PaymentMethod,
  how: Confirmation,
): boolean {
  const rule = testCardOf(state, method)?.authentication;
  if (rule === undefined) return false;
  if (rule === 'always') return true;
  if (rule === 'optional') return how.requestThreeDs;
  if (!how.offSession) return true;
  return rule === 'untilSetUp' && !state.cards.get(method.id)?.setUp;
}

/** Whether the bank authenticates the customer before the card may be saved. */
export function mustAuthenticateSetup(
  state: StripeState,
  method: Stripe.PaymentMethod,
  how: Confirmation,
): boolean {
  const rule = testCardOf(state, method)?.authentication;
  return rule === 'always' || rule === 'untilSetUp' || (rule === 'optional' && how.requestThreeDs);
}

/** Opens a 3-D Secure question for an intent and returns the intent's next action. */
export function askCustomer(
  state: StripeState,
  intent: string,
  method: string,
  how: Confirmation,
): {
  type: string;
  redirect_to_url?: Stripe.PaymentIntent.NextAction.RedirectToUrl;
  use_stripe_sdk?: Record<string, string>;
} {
  const authentication: Authentication = {
    token: state.ids.next('threeds_'),
    returnUrl: how.useStripeSdk ? null : how.returnUrl,
    state: 'open',
    method,
  };
  state.authentications.put(intent, authentication);
  const url = `${state.origin}/3ds/${intent}/${authentication.token}`;
  if (authentication.returnUrl) {
    return { type: 'redirect_to_url', redirect_to_url: { return_url: authentication.returnUrl, url } };
  }
  return {
    type: 'use_stripe_sdk',
    use_stripe_sdk: { source: authentication.token, stripe_js: url, type: 'three_d_secure_redirect' },
  };
}

/** Ends an intent's open question, if there is one. */
export function closeQuestion(state: StripeState, intent: string, outcome: 'completed' | 'failed'): void {
  const question = state.authentications.get(intent);
  if (question?.state === 'open') state.authentications.put(intent, { ...question, state: outcome });
}
