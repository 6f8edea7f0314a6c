import { impossible } from './errors.ts';
import { sumOf } from './money.ts';
import { REFUND_ISSUES, type RefundIssue } from './refund-issues.ts';
import type { RefundRequest } from './requests.ts';
import type { PaypalState } from './state.ts';
import type { Capture, Order, Refund } from './wire.ts';

const refused = (issue: RefundIssue) => impossible(issue, REFUND_ISSUES[issue]);

/**
 * A payment can be refunded for 180 days (paypal.com/cshelp/article/how-do-i-issue-a-refund-help101,
 * developer.paypal.com/api/payments/v2/errors/refund_time_limit_exceeded).
 */
const LIMIT_MS = 180 * 86_400_000;

/** The same issue for every refund of a payment from now on; undefined: none. */
export function refuseRefunds(
  { refusals }: PaypalState,
  captureId: string,
  issue: RefundIssue | undefined,
): void {
  if (issue) refusals.put(captureId, issue);
  else refusals.delete(captureId);
}

/**
 * @param left amount that is not refunded yet, in the smallest unit
 * @throws PaypalRefusal if a payment cannot be refunded as requested
 */
export function checkRefundable(
  state: PaypalState,
  capture: Capture,
  request: RefundRequest,
  left: number,
): void {
  const given = state.refusals.get(capture.id);
  if (given) throw refused(given);
  if (capture.status === 'PENDING') throw refused('PENDING_CAPTURE');
  if (capture.status === 'REFUNDED') throw refused('CAPTURE_FULLY_REFUNDED');
  if (state.clock.now() > Date.parse(capture.create_time!) + LIMIT_MS)
    throw refused('REFUND_TIME_LIMIT_EXCEEDED');
  const paid = sumOf(capture.amount);
  const amount = request.amount ? sumOf(request.amount) : { ...paid, units: left };
  if (amount.currency !== paid.currency) throw refused('REFUND_CAPTURE_CURRENCY_MISMATCH');
  if (amount.units > left) throw refused('REFUND_AMOUNT_EXCEEDED');
  checkDisputes(state, capture, amount.units < left);
  if (request.invoice_id && isUsed(state, request.invoice_id)) throw refused('DUPLICATE_INVOICE_ID');
}

/** A case at PayPal leaves the full refund; a chargeback at the card's bank leaves none. */
function checkDisputes({ disputes }: PaypalState, { id }: Capture, partial: boolean): void {
  for (const { disputed_transactions: of, dispute_channel, status, dispute_outcome } of disputes.all()) {
    if (of[0]?.seller_transaction_id !== id) continue;
    const won = dispute_outcome?.outcome_code === 'RESOLVED_SELLER_FAVOUR';
    if (dispute_channel === 'EXTERNAL' && !won) throw refused('REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK');
    if (status !== 'RESOLVED' && partial) throw refused('TRANSACTION_DISPUTED');
  }
}

const isUsed = ({ orders }: PaypalState, invoiceId: string): boolean =>
  orders.all().some(order => refundsOf(order).some(refund => refund.invoice_id === invoiceId));

export const refundsOf = (order: Order): Refund[] => order.purchase_units[0].payments?.refunds ?? [];
