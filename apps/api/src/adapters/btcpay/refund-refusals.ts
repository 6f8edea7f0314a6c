import type { RefusedRefund } from '../../ports/payment-gateway.ts';
import { BtcpayRefusal } from './client.ts';

/**
 * Coins of this payment that are left do not cover the refund: others were refunded at BTCPay's page, or a longer chain took
 * them back. BTCPay itself would refund them all the same.
 */
export const moreThanLeft: RefusedRefund = { refused: 'gone', failure: 'more-than-left' };

/**
 * Reads why BTCPay refuses a refund: `non-refundable` is an invoice without final coins
 * (`GreenfieldInvoiceController.cs`), whose next block may bring them. @throws the error itself if it is no such refusal
 */
export function refusedRefund(error: unknown): RefusedRefund {
  if (!(error instanceof BtcpayRefusal) || error.status !== 400 || !error.message.includes('non-refundable'))
    throw error;
  return { refused: 'later', failure: 'non-refundable' };
}
