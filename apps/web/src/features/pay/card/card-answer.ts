import { declineCause } from '@fixpoint/contract/decline-causes.ts';
import { refusalFor } from '../../../shop/decline.ts';
import type { PayAnswer } from '../../../shop/pay-method.ts';
import type { CardResult } from './card-messages.ts';

/** The provider already has the payment, from another window or by a lost answer. */
const TAKEN = 'payment_intent_unexpected_state';

/** Maps the card provider's answer. `unknown` unless it says that nothing was charged. */
export function answerOfCard({ error }: CardResult): PayAnswer {
  if (!error || error.code === TAKEN) return { kind: 'taken' };
  if (error.type === 'validation_error') {
    return { kind: 'refused', text: 'order.card.incomplete', providerText: error.message };
  }
  const cause = declineCause(error.decline_code) ?? declineCause(error.code);
  if (cause) return refusalFor(cause);
  if (error.type !== 'card_error') return { kind: 'unknown' };
  const insufficient = error.decline_code === 'insufficient_funds' || error.code === 'insufficient_funds';
  return { kind: 'declined', code: insufficient ? 'insufficient_funds' : '2002' };
}
