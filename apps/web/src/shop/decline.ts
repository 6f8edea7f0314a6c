import type { DeclineCause } from '@fixpoint/contract/decline-causes.ts';
import type { FormError } from '@fixpoint/ui/error-summary.tsx';
import { type CardField, cardFieldId } from './card-field.ts';
import type { OrderState, PayAnswer } from './pay-method.ts';
import type { TextKey, Translate } from './texts.ts';

type Refused = Extract<PayAnswer, { kind: 'refused' }>;

/** Causes that have a text of their own, and what of the card is to be corrected. */
const causes: Record<DeclineCause, { text: TextKey; field?: CardField }> = {
  number: { text: 'order.card.number.wrong', field: 'number' },
  cvc: { text: 'order.card.cvc.wrong', field: 'cvc' },
  expiry: { text: 'form.cardExpiry.past', field: 'expiry' },
  bank: { text: 'order.card.bankDeclined' },
  busy: { text: 'order.card.bankBusy' },
  authentication: { text: 'order.card.authenticationFailed' },
};

/** How a card is told that was refused for a reason which its holder can help. */
export const refusedFor = (cause: DeclineCause): Refused => {
  const { text, field } = causes[cause];
  return { kind: 'refused', text, ...(field && { field: cardFieldId(field) }) };
};

/** How an order that was refused is told; without a cause its code says what there is to say. */
export const refusalOf = ({
  cause,
  failure = '2002',
}: Pick<OrderState, 'cause' | 'failure'>): Refused | Extract<PayAnswer, { kind: 'declined' }> =>
  cause ? refusedFor(cause) : { kind: 'declined', code: failure };

/** The words of a refusal. */
export const wordsOf = (t: Translate, { text, words }: Refused): string => words ?? t(text);

/** The field that a refusal is about, as a form marks it. */
export const markOf = (t: Translate, refused: Refused): FormError[] =>
  refused.field ? [{ id: refused.field, text: wordsOf(t, refused) }] : [];
