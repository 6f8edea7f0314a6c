/**
 * How a renewal is collected, in Stripe's terms: by charging the saved method, or by an invoice
 * that the customer pays.
 */
export type CollectionMethod = 'chargeAutomatically' | 'sendInvoice';

/**
 * Facts that decide the collection method. `saved`: the customer's default method, or null. `last`:
 * the method of the last payment; null: credit alone, or nothing yet. `isGift`: somebody else
 * bought it, and its customer has not paid since.
 */
export type Collection<Method> = { saved: Method | null; last: Method | null; isGift: boolean };

/**
 * The only answer to "Is it charged automatically?". Both the saved method and that of the last
 * payment must be chargeable: a customer who paid with Bitcoin gets an invoice even if a card is
 * saved, and so does the recipient of a gift.
 * @param canBeCharged whether a method can be charged while its owner is away
 */
export const collectionMethod = <Method>(
  { saved, last, isGift }: Collection<Method>,
  canBeCharged: (method: Method) => boolean,
): CollectionMethod =>
  !isGift && saved !== null && canBeCharged(saved) && (last === null || canBeCharged(last))
    ? 'chargeAutomatically'
    : 'sendInvoice';
