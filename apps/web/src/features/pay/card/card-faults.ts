import type { CardField } from '../../../shop/card-field.ts';
import type { TextKey } from '../../../shop/texts.ts';
import type { CardFieldState } from './card-messages.ts';

/**
 * What the provider calls wrong although it is typed whole → our words, since its own speak fewer languages. What is
 * unfinished is wrong only when the form is sent.
 */
const faults: Record<string, TextKey> = {
  invalid_number: 'order.card.number.invalid',
  invalid_expiry_month_past: 'form.cardExpiry.past',
  invalid_expiry_year_past: 'form.cardExpiry.past',
};

/** What is wrong with a field as it stands, before anything is sent. */
export const cardFault = (field: CardFieldState): TextKey | undefined => faults[field.wrong ?? ''];

/** What keeps the form from being sent. */
export function cardGap(name: CardField, field: CardFieldState): TextKey | undefined {
  return field.complete ? undefined : (cardFault(field) ?? `order.card.${name}.missing`);
}
