import type { CardField } from '../../../shop/card-field.ts';
import type { TextKey } from '../../../shop/texts.ts';
import type { CardFieldState } from './card-messages.ts';

/**
 * Provider's error codes of complete input → our texts, because its own speak fewer languages.
 * Incomplete input is an error only on submit.
 */
const faults: Record<string, TextKey> = {
  invalid_number: 'order.card.number.invalid',
  invalid_expiry_month_past: 'form.cardExpiry.past',
  invalid_expiry_year_past: 'form.cardExpiry.past',
};

/** Error of a field before anything is submitted. */
export const cardFault = (field: CardFieldState): TextKey | undefined => faults[field.wrong ?? ''];

/** Error that blocks the submission. */
export function cardGap(name: CardField, field: CardFieldState): TextKey | undefined {
  return field.complete ? undefined : (cardFault(field) ?? `order.card.${name}.missing`);
}
