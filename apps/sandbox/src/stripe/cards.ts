import type { ErrorBody } from './errors.ts';

/** The bank's answer when it declines: the members of Stripe's 402 body. */
export type Decline = Pick<
  ErrorBody,
  | 'code'
  | 'decline_code'
  | 'message'
  | 'param'
  | 'advice_code'
  | 'network_decline_code'
  | 'network_advice_code'
>;

/**
 * A documented test card (P27, docs.stripe.com/testing). `authentication`: `always` on every
 * payment; `untilSetUp` always on-session, off-session until it was set up; `setUpAlready` as if
 * set up before; otherwise none (3055 only if the shop requests it).
 */
export type TestCard = {
  number: string;
  /** Suffix of its `pm_card_…` and `tok_…` names. */
  name: string;
  decline?: Decline;
  /** A declining card that can still be saved. */
  attaches?: true;
  authentication?: 'always' | 'untilSetUp' | 'setUpAlready' | 'optional';
  dispute?: { reason: string; inquiry?: true };
  refund?: 'pending' | 'fails';
};

const declined = (decline_code: string, message: string, network: string, advice: string): Decline => ({
  code: 'card_declined',
  decline_code,
  message,
  network_decline_code: network,
  advice_code: advice,
});
const own = (code: string, message: string, network: string, advice: string, param?: string): Decline => ({
  ...declined(code, message, network, advice),
  code,
  param,
});

const generic = declined('generic_decline', 'Your card was declined.', '01', 'try_again_later');
const noFunds = declined('insufficient_funds', 'Your card has insufficient funds.', '51', 'try_again_later');

/** A Luhn-valid number that is no test card: Stripe's test mode declines it. */
export const liveCardDecline: Decline = {
  code: 'card_declined',
  decline_code: 'test_mode_live_card',
  message:
    'Your card was declined. Your request was in test mode, but used a non test (live) card. For a list of valid test cards, visit: https://docs.stripe.com/testing.',
};

/** An expired card. */
export const expiredCardDecline: Decline = {
  ...own('expired_card', 'Your card has expired.', '54', 'confirm_card_data', 'exp_month'),
  network_advice_code: '03',
};

/** A payment that requires the absent customer. */
export const authenticationRequired: Decline = {
  code: 'authentication_required',
  decline_code: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
};

export const testCards: readonly TestCard[] = [
  { number: '4242424242424242', name: 'visa' },
  { number: '4000056655665556', name: 'visa_debit' },
  { number: '5555555555554444', name: 'mastercard' },
  { number: '378282246310005', name: 'amex' },
  { number: '4000000000000002', name: 'visa_chargeDeclined', decline: generic },
  { number: '4000000000009995', name: 'visa_chargeDeclinedInsufficientFunds', decline: noFunds },
  {
    number: '4000000000009987',
    name: 'visa_chargeDeclinedLostCard',
    decline: declined('lost_card', 'Your card was declined.', '41', 'do_not_try_again'),
  },
  {
    number: '4000000000009979',
    name: 'visa_chargeDeclinedStolenCard',
    decline: declined('stolen_card', 'Your card was declined.', '43', 'do_not_try_again'),
  },
  {
    number: '4000000000000069',
    name: 'chargeDeclinedExpiredCard',
    decline: expiredCardDecline,
  },
  {
    number: '4000000000000127',
    name: 'chargeDeclinedIncorrectCvc',
    decline: own(
      'incorrect_cvc',
      "Your card's security code is incorrect.",
      'N7',
      'confirm_card_data',
      'cvc',
    ),
  },
  {
    number: '4000000000000119',
    name: 'chargeDeclinedProcessingError',
    decline: own(
      'processing_error',
      'An error occurred while processing your card. Try again in a little bit.',
      '96',
      'try_again_later',
    ),
  },
  {
    number: '4000000000006975',
    name: 'visa_chargeDeclinedVelocityLimitExceeded',
    decline: declined(
      'card_velocity_exceeded',
      'Your card was declined for making repeated attempts too frequently or exceeding its amount limit.',
      '65',
      'try_again_later',
    ),
  },
  { number: '4000000000000341', name: 'chargeCustomerFail', decline: generic, attaches: true },
  { number: '4000002500003155', name: 'authenticationRequiredOnSetup', authentication: 'untilSetUp' },
  { number: '4000002760003184', name: 'authenticationRequired', authentication: 'always' },
  {
    number: '4000003800000446',
    name: 'authenticationRequiredSetupForOffSession',
    authentication: 'setUpAlready',
  },
  {
    number: '4000008260003178',
    name: 'authenticationRequiredChargeDeclinedInsufficientFunds',
    authentication: 'untilSetUp',
    decline: noFunds,
    attaches: true,
  },
  { number: '4000000000003220', name: 'threeDSecure2Required', authentication: 'untilSetUp' },
  {
    number: '4000008400001629',
    name: 'threeDSecureRequiredChargeDeclined',
    authentication: 'untilSetUp',
    decline: generic,
  },
  { number: '4000000000003055', name: 'threeDSecureOptional', authentication: 'optional' },
  { number: '4000000000000259', name: 'createDispute', dispute: { reason: 'fraudulent' } },
  {
    number: '4000000000002685',
    name: 'createDisputeProductNotReceived',
    dispute: { reason: 'product_not_received' },
  },
  {
    number: '4000000000001976',
    name: 'createDisputeInquiry',
    dispute: { reason: 'fraudulent', inquiry: true },
  },
  { number: '4000000000007726', name: 'pendingRefund', refund: 'pending' },
  { number: '4000000000005126', name: 'refundFail', refund: 'fails' },
];

/** Finds a test card by its number. */
export const cardByNumber = (number: string) => testCards.find(card => card.number === number);

/** Finds a test card by `pm_card_visa` or `tok_visa`. */
export const cardByName = (id: string) => {
  const name = /^(?:pm_card|tok)_(.+)$/.exec(id)?.[1];
  return testCards.find(card => card.name === name);
};

/** Verifies the checksum of a card number. */
export function passesLuhn(number: string): boolean {
  if (!/^\d{12,19}$/.test(number)) return false;
  let sum = 0;
  for (const [index, digit] of [...number].reverse().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

/** Returns the card's network by its first digits; only the networks of the test cards. */
export function brandOf(number: string): 'visa' | 'mastercard' | 'amex' | 'unknown' {
  if (number.startsWith('4')) return 'visa';
  if (/^(5[1-5]|2[2-7])/.test(number)) return 'mastercard';
  if (/^3[47]/.test(number)) return 'amex';
  return 'unknown';
}
