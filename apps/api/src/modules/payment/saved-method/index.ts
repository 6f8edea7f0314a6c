/**
 * saved-method — cards and PayPal accounts that customers save, and how renewals are charged to them.
 * Promise: a method that no account has saved any more is detached at its gateway.
 */
export { notifyCardExpiry } from './card-expiry.ts';
export { amountsDue, collectionMethodOf, willBeCharged } from './collection-method.ts';
export { followMethod } from './follow-method.ts';
export { forgetAllMethods, forgetMethod } from './forget-methods.ts';
export { continueSaving, followSaving, saveCard } from './save-card.ts';
export { forgetUnsaved, saveMethod } from './save-from-payment.ts';
export {
  accountsOf,
  cardsOf,
  deleteMethod,
  isSavedAccount,
  makeDefault,
  removeMethod,
  savedMethodsOf,
} from './saved-methods.ts';
export { SAVING_KEPT_MS } from './setup-declines.ts';
export { type CardChoice, cardCalls, type UsableCard, usableCard } from './usable-card.ts';
