/** Why a bank refused a card, as far as its holder may be told and can help it. */
export const declineCauses = ['number', 'cvc', 'expiry', 'bank', 'busy', 'authentication'] as const;
export type DeclineCause = (typeof declineCauses)[number];

/** By the provider's word for it, which the server hears of a payment and the page of the provider's script. */
const causes: Record<string, DeclineCause> = {
  incorrect_number: 'number',
  invalid_number: 'number',
  incorrect_cvc: 'cvc',
  invalid_cvc: 'cvc',
  expired_card: 'expiry',
  invalid_expiry_month: 'expiry',
  invalid_expiry_year: 'expiry',
  call_issuer: 'bank',
  card_velocity_exceeded: 'bank',
  do_not_honor: 'bank',
  issuer_not_available: 'busy',
  processing_error: 'busy',
  try_again_later: 'busy',
  payment_intent_authentication_failure: 'authentication',
  setup_intent_authentication_failure: 'authentication',
};

/**
 * Why its holder is told that a card was refused. Of a lost or stolen one he may not be told: undefined, like
 * everything else that nobody at the page can help.
 */
export const declineCause = (decline: string | undefined): DeclineCause | undefined =>
  decline !== undefined && Object.hasOwn(causes, decline) ? causes[decline] : undefined;
