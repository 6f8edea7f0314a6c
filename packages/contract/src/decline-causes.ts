/** Causes of a decline that its holder may know and can help. */
export const declineCauses = ['number', 'cvc', 'expiry', 'bank', 'busy', 'authentication'] as const;
export type DeclineCause = (typeof declineCauses)[number];

/** By the provider's decline code, which reaches both the server and the page. */
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
 * Cause to show for a decline. Undefined if the holder cannot help it, or must not know: a lost or
 * stolen card.
 */
export const declineCause = (decline: string | undefined): DeclineCause | undefined =>
  decline !== undefined && Object.hasOwn(causes, decline) ? causes[decline] : undefined;
