import type { LockedInvoice } from './invoices.ts';

/** What an invoice is of: an order, or the renewal of a subscription. */
export type InvoiceSubject = { invoiceId: string; orderId: string | null; subscriptionId: string | null };

/**
 * What became of an invoice, published in the transaction that makes it so.
 * `invoicePaid`: money or credit pays it in full. `paymentRefused`: a bank or gateway took no money; `unattended`: its
 * customer was not there, as it renewed. `paymentRetried`: another try is made after one that was refused or given up.
 * `paymentMoved`: some of its money was seen, came, or went away again, and nothing is settled by that.
 */
export type InvoiceEvent = InvoiceSubject &
  (
    | { type: 'invoicePaid' }
    | { type: 'paymentRefused'; failure: string; unattended: boolean }
    | { type: 'paymentRetried' }
    | { type: 'paymentMoved' }
  );

/** What the events of an invoice say that it is of. */
export const subjectOf = ({ id, orderId, subscriptionId }: LockedInvoice): InvoiceSubject => ({
  invoiceId: id,
  orderId,
  subscriptionId,
});
