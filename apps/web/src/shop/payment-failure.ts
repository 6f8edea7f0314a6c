import { createStore } from '@fixpoint/ui/lib/store.ts';
import { snacks } from './snack.ts';
import { errorText, type TextKey, translate } from './texts.ts';

/** Code of a payment that failed. Its own text is about cards. */
const PAYMENT_FAILED = '2002';

/**
 * The stored message of 2002: what the server last said about a failed payment. Undefined while it
 * has said no more than that it failed, and from the next press on Pay.
 */
const stored = createStore<(() => string) | undefined>(undefined);

/** A payment is tried again: nothing is known of its failure. */
export const forgetPaymentFailure = (): void => stored.set(undefined);

/**
 * Text of a declined payment: that of its code, or for 2002 the stored message.
 * @param declined text of a method other than cards
 */
export function declineText(code: string, declined: TextKey | undefined): string {
  if (code !== PAYMENT_FAILED) return errorText(code);
  return stored.get()?.() ?? (declined ? translate(declined) : errorText(code));
}

/** Stores what the server said of a failed payment, in the language of the moment of showing it. */
export const storePaymentFailure = (said: () => string): void => stored.set(said);

/** Shows a failed payment as a snack (W51). */
export const showPaymentFailure = (text: string): void =>
  snacks.show({ type: 'error', code: PAYMENT_FAILED, text });
