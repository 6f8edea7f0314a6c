/** Why a bank refused a card, as far as its holder may be told and can help it (FU7). */
export const declineCauses = ['number', 'cvc', 'expiry', 'bank', 'busy', 'authentication'] as const;
export type DeclineCause = (typeof declineCauses)[number];
