import type { RefusedRefund } from '../../ports/payment-gateway.ts';
import { PaypalRefused } from './client.ts';

/**
 * Refusals of a refund by PayPal's issue (`captures.refund-422` of
 * github.com/paypal/paypal-rest-api-specifications). All others are mistakes of ours.
 */
const REFUSALS: Readonly<Record<string, RefusedRefund['refused']>> = {
  REFUND_TIME_LIMIT_EXCEEDED: 'never',
  REFUND_NOT_ALLOWED: 'never',
  PARTIAL_REFUND_NOT_ALLOWED: 'never',
  MAX_NUMBER_OF_REFUNDS_EXCEEDED: 'never',
  PAYER_ACCOUNT_LOCKED_OR_CLOSED: 'never',
  PAYEE_ACCOUNT_LOCKED_OR_CLOSED: 'never',
  CAPTURE_FULLY_REFUNDED: 'gone',
  REFUND_AMOUNT_EXCEEDED: 'gone',
  TRANSACTION_DISPUTED: 'disputed',
  REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK: 'disputed',
  PENDING_CAPTURE: 'later',
  REFUND_FAILED_INSUFFICIENT_FUNDS: 'later',
  PAYEE_ACCOUNT_RESTRICTED: 'later',
};

/** Reads why PayPal refuses a refund. @throws the error itself if it is no such refusal */
export function refusedRefund(error: unknown): RefusedRefund {
  const refused = error instanceof PaypalRefused && error.status === 422 ? REFUSALS[error.issue] : undefined;
  if (!refused) throw error;
  return { refused, failure: (error as PaypalRefused).issue };
}
