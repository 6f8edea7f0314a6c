import { bangkokDate } from '../kernel/bangkok.ts';

/**
 * Whether a card is too old to be taken (W44, O12): its year must not be past, and in this year its month must
 * still be to come. Stricter than banks, which take it until the end of its month.
 */
export function isPast(card: { expiryMonth: number; expiryYear: number }, now: Date): boolean {
  const { year, month } = bangkokDate(now);
  return card.expiryYear < year || (card.expiryYear === year && card.expiryMonth <= month);
}

/** Why a bank refused a card, as far as its holder may be told and can help it. */
export type DeclineCause = 'number' | 'cvc' | 'expiry' | 'bank' | 'busy' | 'authentication';

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
 * Causes that have a text of their own (FU7). Of a lost or stolen card its holder may not be told: undefined, like
 * everything else that nobody at the page can help.
 */
export const declineCause = (decline: string | undefined): DeclineCause | undefined =>
  decline !== undefined && Object.hasOwn(causes, decline) ? causes[decline] : undefined;
