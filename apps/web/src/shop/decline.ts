import type { OrderState, PayAnswer } from './pay-method.ts';
import type { TextKey } from './texts.ts';

/** Causes that have a text of their own (FU7, U59); of others the code of the refusal says what there is to say. */
export const causeTexts: Record<NonNullable<OrderState['cause']>, TextKey> = {
  number: 'order.card.number.wrong',
  cvc: 'order.card.cvc.wrong',
  expiry: 'form.cardExpiry.past',
  bank: 'order.card.bankDeclined',
  busy: 'order.card.bankBusy',
  authentication: 'order.card.authenticationFailed',
};

/** How an order that was refused is told. */
export const refusalOf = ({
  cause,
  failure = '2002',
}: Pick<OrderState, 'cause' | 'failure'>): Extract<PayAnswer, { kind: 'declined' | 'refused' }> =>
  cause ? { kind: 'refused', text: causeTexts[cause] } : { kind: 'declined', code: failure };
