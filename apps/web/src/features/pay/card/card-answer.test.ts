import { expect, test } from 'vitest';
import type { PayAnswer } from '../../../shop/pay-method.ts';
import { answerOfCard } from './card-answer.ts';
import type { CardResult } from './card-messages.ts';

test.each<[CardResult['error'], PayAnswer]>([
  [undefined, { kind: 'taken' }],
  // Another window was faster.
  [{ type: 'invalid_request_error', code: 'payment_intent_unexpected_state' }, { kind: 'taken' }],
  [
    { type: 'card_error', code: 'card_declined', decline_code: 'generic_decline' },
    { kind: 'declined', code: '2002' },
  ],
  [
    { type: 'card_error', decline_code: 'stolen_card' },
    { kind: 'declined', code: '2002' },
  ],
  [
    { type: 'card_error', decline_code: 'insufficient_funds' },
    { kind: 'declined', code: 'insufficient_funds' },
  ],
  [
    { type: 'card_error', code: 'incorrect_cvc', decline_code: 'incorrect_cvc' },
    { kind: 'refused', text: 'order.card.cvc.wrong', field: 'card-cvc' },
  ],
  [
    { type: 'card_error', code: 'expired_card' },
    { kind: 'refused', text: 'form.cardExpiry.past', field: 'card-expiry' },
  ],
  [
    { type: 'card_error', code: 'card_declined', decline_code: 'do_not_honor' },
    { kind: 'refused', text: 'order.card.bankDeclined' },
  ],
  [
    { type: 'card_error', code: 'processing_error' },
    { kind: 'refused', text: 'order.card.bankBusy' },
  ],
  [
    { code: 'payment_intent_authentication_failure' },
    { kind: 'refused', text: 'order.card.authenticationFailed' },
  ],
  [
    { type: 'validation_error', message: 'Incomplete' },
    { kind: 'refused', text: 'order.card.incomplete', providerText: 'Incomplete' },
  ],
  // The connection was lost: the money may be on its way.
  [{ type: 'api_connection_error' }, { kind: 'unknown' }],
])('an error of %j', (error, answer) => {
  expect(answerOfCard(error ? { error } : {})).toEqual(answer);
});
