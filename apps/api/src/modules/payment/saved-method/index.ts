/**
 * saved-method — cards and PayPal accounts that customers save, and what is charged by them without their presence.
 * Promise: what nobody keeps here any more is forgotten at its gateway.
 */
export { tellCardExpiry } from './card-expiry.ts';
export { amountsDue, collectionMethodOf } from './collection-method.ts';
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
export { type CardChoice, cardCalls, usableCard } from './usable-card.ts';
