import { z } from 'zod';
import type { Reported, ReportedRefund } from '../../ports/payment-gateway.ts';
import type { BtcpayClient } from './client.ts';
import { CHAIN, paymentOf, refundOf } from './objects.ts';
import {
  type BtcpayInvoice,
  type BtcpayMethod,
  type BtcpayPullPayment,
  paymentMethodShape,
  payoutShape,
  pullPaymentShape,
} from './shapes.ts';

/**
 * Reads the state of an invoice. The coins are read last, so that they are the newer information.
 */
export async function readPayment(client: BtcpayClient, invoice: BtcpayInvoice): Promise<Reported> {
  return paymentOf(invoice, await readMethod(client, invoice.id));
}

/** Reads an invoice's coins, and the rate at which they count. */
export async function readMethod({ askStore }: BtcpayClient, invoiceId: string): Promise<BtcpayMethod> {
  const methods = await askStore(z.array(paymentMethodShape), `invoices/${invoiceId}/payment-methods`);
  const chain = methods.find(({ paymentMethodId }) => paymentMethodId === CHAIN);
  if (!chain) {
    throw new Error(
      `Invoice ${invoiceId} of BTCPay cannot be paid by ${CHAIN}: check the wallet of the store`,
    );
  }
  return chain;
}

/** All refunds of the store, including archived ones. */
export const readRefunds = ({ askStore }: BtcpayClient): Promise<BtcpayPullPayment[]> =>
  askStore(z.array(pullPaymentShape), 'pull-payments?includeArchived=true');

/** Reads the state of a refund. */
export async function readRefund({ ask }: BtcpayClient, pull: BtcpayPullPayment): Promise<ReportedRefund> {
  return refundOf(pull, await ask(z.array(payoutShape), `pull-payments/${pull.id}/payouts`));
}

/** The name of a refund contains our id; its receiver sees it, too. */
export const nameOfRefund = (id: string): string => `Refund ${id}`;
export const refundOfName = (name: string): string | undefined => /^Refund (ref_\w+)$/.exec(name)?.[1];

/** Description of a refund, which names its payment. */
export const describedBy = (paymentRef: string): string => `Payment ${paymentRef}`;
