/** Fields of a card that its provider holds. */
export const cardFields = ['number', 'expiry', 'cvc'] as const;
export type CardField = (typeof cardFields)[number];
/** The place of a field, in the page (an error summary links there) and in the pay document. */
export const cardFieldId = (field: CardField) => `card-${field}`;
