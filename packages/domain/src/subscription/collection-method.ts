/**
 * How a renewal gets its money, as Stripe names it: we charge what its customer has saved, or send an invoice that they pay
 * themselves.
 */
export type CollectionMethod = 'chargeAutomatically' | 'sendInvoice';

/**
 * What decides it.
 * `saved`: the customer's default method; null: none. `last`: what paid the last time; null: credit alone, or nothing yet.
 * `isGift`: somebody else bought it, and its customer has not paid for it since.
 */
export type Collection<Method> = { saved: Method | null; last: Method | null; isGift: boolean };

/**
 * The one answer to "Is it charged automatically?". Both what is saved and what paid the last time must be chargeable:
 * who bought with coins while a card was saved for something else gets an invoice, and so does who was given what they have
 * never ordered.
 * @param canBeCharged whether a method can be charged while its owner is away
 */
export const collectionMethod = <Method>(
  { saved, last, isGift }: Collection<Method>,
  canBeCharged: (method: Method) => boolean,
): CollectionMethod =>
  !isGift && saved !== null && canBeCharged(saved) && (last === null || canBeCharged(last))
    ? 'chargeAutomatically'
    : 'sendInvoice';
