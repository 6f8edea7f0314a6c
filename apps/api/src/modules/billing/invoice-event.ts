import type { LockedInvoice } from './invoices.ts';

/** The order or the renewed subscription of an invoice. */
export type InvoiceSubject = { invoiceId: string; orderId: string | null; subscriptionId: string | null };

/**
 * Domain events of an invoice, published in the transaction that changes it.
 * `invoicePaid`: money or credit pays it in full. `paymentRefused`: a bank or gateway refused; `unattended`: an automatic
 * charge without the customer. `paymentRetried`: a new attempt after one that was refused or abandoned. `paymentMoved`:
 * money was seen, arrived or went away again, and nothing is settled by that. `paymentShort`: the same, and it is less than
 * the invoice asks for.
 */
export type InvoiceEvent = InvoiceSubject &
  (
    | { type: 'invoicePaid' }
    | { type: 'paymentRefused'; failure: string; unattended: boolean }
    | { type: 'paymentRetried' }
    | { type: 'paymentMoved' }
    | { type: 'paymentShort' }
  );

/** The subject of a locked invoice, as its events name it. */
export const subjectOf = ({ id, orderId, subscriptionId }: LockedInvoice): InvoiceSubject => ({
  invoiceId: id,
  orderId,
  subscriptionId,
});
