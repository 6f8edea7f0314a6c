import type { PayAnswer } from '../../../shop/pay-method.ts';
import type { TextKey } from '../../../shop/texts.ts';
import type { CardResult } from './card-messages.ts';

/** The provider has the payment already, from another window or an answer that got lost. */
const TAKEN = 'payment_intent_unexpected_state';

/** Causes that have a text of their own (FU7, U59). Of a lost or stolen card its holder may not be told: 2002. */
const causes = new Map<string, TextKey>([
  ['incorrect_number', 'order.card.number.wrong'],
  ['invalid_number', 'order.card.number.wrong'],
  ['incorrect_cvc', 'order.card.cvc.wrong'],
  ['invalid_cvc', 'order.card.cvc.wrong'],
  ['expired_card', 'form.cardExpiry.past'],
  ['call_issuer', 'order.card.bankDeclined'],
  ['card_velocity_exceeded', 'order.card.bankDeclined'],
  ['do_not_honor', 'order.card.bankDeclined'],
  ['issuer_not_available', 'order.card.bankBusy'],
  ['processing_error', 'order.card.bankBusy'],
  ['try_again_later', 'order.card.bankBusy'],
]);

/** What the card provider's answer means (P13). Unknown where it does not say that nothing was charged. */
export function answerOfCard({ error }: CardResult): PayAnswer {
  if (!error || error.code === TAKEN) return { kind: 'taken' };
  if (error.type === 'validation_error') {
    return { kind: 'refused', text: 'order.card.incomplete', words: error.message };
  }
  if (error.code === 'payment_intent_authentication_failure') {
    return { kind: 'refused', text: 'order.card.authenticationFailed' };
  }
  if (error.type !== 'card_error') return { kind: 'unknown' };
  const cause = causes.get(error.decline_code ?? '') ?? causes.get(error.code ?? '');
  if (cause) return { kind: 'refused', text: cause };
  const insufficient = error.decline_code === 'insufficient_funds' || error.code === 'insufficient_funds';
  return { kind: 'declined', code: insufficient ? 'insufficient_funds' : '2002' };
}
