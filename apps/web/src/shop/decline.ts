import type { DeclineCause } from '@fixpoint/contract/decline-causes.ts';
import type { FormError } from '@fixpoint/ui/error-summary.tsx';
import { type CardField, cardFieldId } from './card-field.ts';
import type { OrderState, PayAnswer } from './pay-method.ts';
import type { TextKey, Translate } from './texts.ts';

type Refused = Extract<PayAnswer, { kind: 'refused' }>;

/** Causes with a text of their own, and the card field to correct. */
const causes: Record<DeclineCause, { text: TextKey; field?: CardField }> = {
  number: { text: 'order.card.number.wrong', field: 'number' },
  cvc: { text: 'order.card.cvc.wrong', field: 'cvc' },
  expiry: { text: 'form.cardExpiry.past', field: 'expiry' },
  bank: { text: 'order.card.bankDeclined' },
  busy: { text: 'order.card.bankBusy' },
  authentication: { text: 'order.card.authenticationFailed' },
};

/** Answer for a card that was refused for a cause its holder can resolve. */
export const refusalFor = (cause: DeclineCause): Refused => {
  const { text, field } = causes[cause];
  return { kind: 'refused', text, ...(field && { field: cardFieldId(field) }) };
};

/** Answer for a refused order. Without a cause its code explains it. */
export const orderRefusal = ({
  cause,
  failure = '2002',
}: Pick<OrderState, 'cause' | 'failure'>): Refused | Extract<PayAnswer, { kind: 'declined' }> =>
  cause ? refusalFor(cause) : { kind: 'declined', code: failure };

/** Text of a refusal. */
export const refusalText = (t: Translate, { text, providerText }: Refused): string => providerText ?? t(text);

/** The field that a refusal is about, as a form error. */
export const refusalErrors = (t: Translate, refused: Refused): FormError[] =>
  refused.field ? [{ id: refused.field, text: refusalText(t, refused) }] : [];
