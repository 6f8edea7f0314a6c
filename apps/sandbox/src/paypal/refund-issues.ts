/**
 * Permanent refusals of a refund. Issues and descriptions: `captures.refund-422` of
 * github.com/paypal/paypal-rest-api-specifications, openapi/payments_payment_v2.json.
 */
export const REFUND_ISSUES = {
  PENDING_CAPTURE:
    'Cannot initiate a refund as the capture is pending. Capture is typically pending when the payer has funded the transaction using e-check/bank funded.',
  CAPTURE_FULLY_REFUNDED: 'The capture has already been fully refunded',
  REFUND_CAPTURE_CURRENCY_MISMATCH: 'Refund must be in the same currency as the capture',
  REFUND_TIME_LIMIT_EXCEEDED: 'You are over the time limit to perform a refund on this capture',
  REFUND_AMOUNT_EXCEEDED:
    'The refund amount must be less than or equal to the capture amount that has not yet been refunded.',
  DUPLICATE_INVOICE_ID: 'Invoice ID was previously used to refund a capture.',
  TRANSACTION_DISPUTED:
    'Partial refunds cannot be offered at this time because there is an open case on this transaction. Visit the PayPal Resolution Center to review this case.',
  REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK:
    'Refunds are not allowed on this capture due to a chargeback on the card or bank. Please contact the payee to resolve the chargeback.',
  REFUND_NOT_ALLOWED: 'Capture cannot be refunded.',
  PARTIAL_REFUND_NOT_ALLOWED: 'You cannot do a refund less than the original capture amount.',
  MAX_NUMBER_OF_REFUNDS_EXCEEDED: 'You have exceeded the maximum number of refund attempts for this capture.',
  REFUND_FAILED_INSUFFICIENT_FUNDS:
    'Capture could not be refunded due to insufficient funds. Please check to see if you have sufficient funds in your PayPal account or if the bank account linked to your PayPal account is verified and has sufficient funds.',
  PAYEE_ACCOUNT_LOCKED_OR_CLOSED: 'Transaction could not complete because payee account is locked or closed.',
  PAYEE_ACCOUNT_RESTRICTED: 'Payee account is restricted.',
  PAYER_ACCOUNT_LOCKED_OR_CLOSED: 'The payer account cannot be used for this transaction.',
} as const;
export type RefundIssue = keyof typeof REFUND_ISSUES;
export const refundIssues = Object.keys(REFUND_ISSUES) as [RefundIssue, ...RefundIssue[]];
