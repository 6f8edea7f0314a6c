import { refusedFor } from '../../../shop/decline.ts';
import type { OrderState, PayAnswer } from '../../../shop/pay-method.ts';
import type { CardResult } from './card-messages.ts';

/** The provider has the payment already, from another window or an answer that got lost. */
const TAKEN = 'payment_intent_unexpected_state';

/** The bank asked, and was not answered as it wanted: at a payment, or while a card was saved. */
const AUTHENTICATION = ['payment_intent_authentication_failure', 'setup_intent_authentication_failure'];

/** Causes that its holder can help (FU7). Of a lost or stolen card he may not be told: 2002. */
const causes = new Map<string, NonNullable<OrderState['cause']>>([
  ['incorrect_number', 'number'],
  ['invalid_number', 'number'],
  ['incorrect_cvc', 'cvc'],
  ['invalid_cvc', 'cvc'],
  ['expired_card', 'expiry'],
  ['invalid_expiry_month', 'expiry'],
  ['invalid_expiry_year', 'expiry'],
  ['call_issuer', 'bank'],
  ['card_velocity_exceeded', 'bank'],
  ['do_not_honor', 'bank'],
  ['issuer_not_available', 'busy'],
  ['processing_error', 'busy'],
  ['try_again_later', 'busy'],
]);

/** What the card provider's answer means (P13). Unknown where it does not say that nothing was charged. */
export function answerOfCard({ error }: CardResult): PayAnswer {
  if (!error || error.code === TAKEN) return { kind: 'taken' };
  if (error.type === 'validation_error') {
    return { kind: 'refused', text: 'order.card.incomplete', words: error.message };
  }
  if (error.code && AUTHENTICATION.includes(error.code)) {
    return refusedFor('authentication');
  }
  if (error.type !== 'card_error') return { kind: 'unknown' };
  const cause = causes.get(error.decline_code ?? '') ?? causes.get(error.code ?? '');
  if (cause) return refusedFor(cause);
  const insufficient = error.decline_code === 'insufficient_funds' || error.code === 'insufficient_funds';
  return { kind: 'declined', code: insufficient ? 'insufficient_funds' : '2002' };
}
