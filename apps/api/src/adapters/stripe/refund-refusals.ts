import Stripe from 'stripe';
import type { RefusedRefund } from '../../ports/payment-gateway.ts';

/** Refusals of a refund by Stripe's code (docs.stripe.com/error-codes). */
const REFUSALS: Readonly<Record<string, RefusedRefund['refused']>> = {
  charge_not_refundable: 'never',
  charge_already_refunded: 'gone',
  charge_disputed: 'disputed',
  refund_disputed_payment: 'disputed',
  balance_insufficient: 'later',
};

/**
 * Reads why Stripe refuses a refund. More than is left has no code, only its parameter.
 * @throws the error itself if it is no such refusal
 */
export function refusedRefund(error: unknown): RefusedRefund {
  if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
  const { code, param } = error;
  const refused = code ? REFUSALS[code] : param === 'amount' ? 'gone' : undefined;
  if (!refused) throw error;
  return { refused, failure: code ?? 'amount_too_large' };
}
