import type Stripe from 'stripe';
import {
  cardByName,
  cardByNumber,
  type Decline,
  expiredCardDecline,
  liveCardDecline,
  passesLuhn,
  type TestCard,
  testCards,
} from './cards.ts';
import { cardRefusal, invalid, missing, unexpectedState } from './errors.ts';
import { newCard, newPromptPay, noBilling } from './objects/payment-method.ts';
import { type Cause, changes, emit, noRequest, type StripeState } from './state.ts';

export type Billing = {
  address?: Partial<Record<keyof typeof noBilling.address, string>>;
  email?: string;
  name?: string;
  phone?: string;
};
export type MethodData = {
  type: 'card' | 'promptpay';
  card?: { number?: string; exp_month?: number; exp_year?: number; cvc?: string; token?: string };
  billing_details?: Billing;
  metadata?: Record<string, string> | '';
};

/** Creates a payment method, not yet attached. Throws 402 for invalid card data. */
export function createMethod(state: StripeState, data: MethodData): Stripe.PaymentMethod {
  const id = state.ids.next('pm_');
  const created = state.clock.seconds();
  const billing = mergeBilling(noBilling, data.billing_details);
  if (data.type === 'promptpay') return state.paymentMethods.put(id, newPromptPay(id, created, billing));
  const given = data.card;
  if (!given) throw invalid('Missing required param: card.', { code: 'parameter_missing', param: 'card' });
  if (given.token) {
    const card = cardByName(given.token);
    if (!card) throw missing('token', given.token, 'card[token]');
    return saveTestCard(state, id, card, billing);
  }
  const { number = '', expMonth, expYear } = checkCard(state, given);
  const method = newCard(id, created, { number, expMonth, expYear, cvcGiven: Boolean(given.cvc) }, billing);
  state.cards.put(id, { card: cardByNumber(number)?.name ?? 'live', setUp: false, used: false });
  return state.paymentMethods.put(id, { ...method, metadata: data.metadata || {} });
}

function saveTestCard(
  state: StripeState,
  id: string,
  card: TestCard,
  billing = noBilling as Stripe.PaymentMethod.BillingDetails,
) {
  const created = state.clock.seconds();
  const expYear = new Date(state.clock.now()).getUTCFullYear() + 1;
  state.cards.put(id, { card: card.name, setUp: false, used: false });
  const method = newCard(
    id,
    created,
    { number: card.number, expMonth: 12, expYear, cvcGiven: true },
    billing,
  );
  return state.paymentMethods.put(id, method);
}

function checkCard(state: StripeState, card: NonNullable<MethodData['card']>) {
  const wrong = (code: string, message: string, param: string) => cardRefusal({ code, message, param });
  const number = card.number?.replace(/[\s-]/g, '') ?? '';
  if (!passesLuhn(number)) throw wrong('incorrect_number', 'Your card number is incorrect.', 'number');
  const { exp_month: expMonth = 0, exp_year: shortYear = 0 } = card;
  const expYear = shortYear < 100 ? shortYear + 2000 : shortYear;
  const today = new Date(state.clock.now());
  if (expMonth < 1 || expMonth > 12) {
    throw wrong('invalid_expiry_month', "Your card's expiration month is invalid.", 'exp_month');
  }
  if (expYear < today.getUTCFullYear() || expYear > today.getUTCFullYear() + 50) {
    throw wrong('invalid_expiry_year', "Your card's expiration year is invalid.", 'exp_year');
  }
  if (expYear === today.getUTCFullYear() && expMonth < today.getUTCMonth() + 1) {
    throw wrong('invalid_expiry_month', "Your card's expiration month is invalid.", 'exp_month');
  }
  if (card.cvc !== undefined && !/^\d{3,4}$/.test(card.cvc)) {
    throw wrong('invalid_cvc', "Your card's security code is invalid.", 'cvc');
  }
  return { number, expMonth, expYear };
}

/**
 * Finds a payment method; each use of a `pm_card_…` or `tok_…` name creates a new one, as Stripe
 * does.
 */
export function findMethod(state: StripeState, id: string, param = 'payment_method'): Stripe.PaymentMethod {
  const named = cardByName(id);
  if (named) return saveTestCard(state, state.ids.next('pm_'), named);
  const method = state.paymentMethods.get(id);
  if (!method) throw missing('PaymentMethod', id, param);
  return method;
}

/** Returns the test card of a payment method; undefined for a number that is no test card. */
export function testCardOf(state: StripeState, method: Stripe.PaymentMethod): TestCard | undefined {
  const secret = state.cards.get(method.id);
  return testCards.find(card => card.name === secret?.card);
}

/**
 * Returns why the bank declines a charge of this card, if it does: by its kind, or because it has
 * expired.
 */
export function chargeDecline(state: StripeState, method: Stripe.PaymentMethod): Decline | undefined {
  const card = testCardOf(state, method);
  if (!card) return liveCardDecline;
  return card.decline ?? (isOver(state, method) ? expiredCardDecline : undefined);
}

function isOver(state: StripeState, { card }: Stripe.PaymentMethod): boolean {
  return card !== undefined && state.clock.now() >= Date.UTC(card.exp_year, card.exp_month);
}

/** Returns why the bank declines saving this card, if it does. */
export function attachDecline(state: StripeState, method: Stripe.PaymentMethod): Decline | undefined {
  return testCardOf(state, method)?.attaches ? undefined : chargeDecline(state, method);
}

/** Attaches the method to a customer; the bank's decline was checked before. */
export function attach(
  state: StripeState,
  cause: Cause,
  method: Stripe.PaymentMethod,
  customer: string,
): Stripe.PaymentMethod {
  if (method.customer === customer) return method;
  const attached = state.paymentMethods.put(method.id, { ...method, customer });
  emit(state, cause, 'payment_method.attached', attached);
  return attached;
}

/** Detaches the method permanently: it cannot be attached again. */
export function detach(state: StripeState, cause: Cause, method: Stripe.PaymentMethod): Stripe.PaymentMethod {
  const owner = typeof method.customer === 'string' ? state.customers.get(method.customer) : undefined;
  if (!owner) {
    throw unexpectedState(
      'The payment method you provided is not attached to a customer so detachment is impossible.',
      { param: 'payment_method' },
    );
  }
  const detached = state.paymentMethods.put(method.id, { ...method, customer: null });
  const secret = state.cards.get(method.id);
  if (secret) state.cards.put(method.id, { ...secret, used: true });
  if (!('deleted' in owner && owner.deleted)) {
    const customer = owner as Stripe.Customer;
    if (customer.invoice_settings.default_payment_method === method.id) {
      state.customers.put(customer.id, {
        ...customer,
        invoice_settings: { ...customer.invoice_settings, default_payment_method: null },
      });
    }
  }
  emit(state, cause, 'payment_method.detached', detached, changes(method, detached));
  return detached;
}

/**
 * The network renews a saved card unasked: another expiry, and often another number. The method
 * keeps its id.
 */
export function renewByNetwork(
  state: StripeState,
  method: Stripe.PaymentMethod,
  change: { expMonth: number; expYear: number; number: string | undefined },
): Stripe.PaymentMethod {
  const { id, card: old, created, billing_details: billing } = method;
  if (!old || !method.customer) {
    throw unexpectedState('Only a card that a customer has saved is renewed.', { param: 'payment_method' });
  }
  const { expMonth, expYear, number } = change;
  const renewed = number
    ? newCard(id, created, { number, expMonth, expYear, cvcGiven: false }, billing)
    : method;
  const secret = state.cards.get(id);
  if (number && secret) state.cards.put(id, { ...secret, card: cardByNumber(number)?.name ?? 'live' });
  const after = state.paymentMethods.put(id, {
    ...method,
    card: { ...old, ...renewed.card, exp_month: expMonth, exp_year: expYear },
  });
  emit(state, noRequest, 'payment_method.automatically_updated', after, changes(method, after));
  return after;
}

/** Refuses a method that belongs to another customer, or was used up without one. */
export function checkUsable(state: StripeState, method: Stripe.PaymentMethod, customer: string | null): void {
  if (method.customer && !customer) {
    throw invalid(
      'The payment method you provided is attached to a customer so for security purposes you must provide the customer in the request.',
      { param: 'payment_method' },
    );
  }
  if (method.customer && method.customer !== customer) {
    throw invalid(
      `The PaymentMethod ${method.id} does not belong to the Customer ${customer}. Please use this PaymentMethod with the Customer that it belongs to instead.`,
      { param: 'payment_method' },
    );
  }
  if (!method.customer && state.cards.get(method.id)?.used) throw usedUp();
}

/** 400 for a method that was used once without a customer, or detached. */
export const usedUp = () =>
  invalid(
    'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a connected account without Customer attachment, or was detached from a Customer. It may not be used again. To use a PaymentMethod multiple times, you must attach it to a Customer first.',
    { code: 'payment_method_unexpected_state', param: 'payment_method' },
  );

/** Merges new billing details into old ones. */
export function mergeBilling(
  old: Stripe.PaymentMethod.BillingDetails,
  given: Billing | undefined,
): Stripe.PaymentMethod.BillingDetails {
  const { address, ...rest } = given ?? {};
  const filled = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, value || null]));
  return { ...old, ...filled, address: { ...(old.address ?? noBilling.address), ...address } };
}
