/** Fields of a card that its provider hosts. */
export const cardFields = ['number', 'expiry', 'cvc'] as const;
export type CardField = (typeof cardFields)[number];
/** Id of a field, in the page (an error summary links there) and in the payment page. */
export const cardFieldId = (field: CardField) => `card-${field}`;
