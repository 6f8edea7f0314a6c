import type { paymentCalls } from '@fixpoint/contract/calls/payment.ts';
import type { DataOf } from '@fixpoint/contract/endpoint.ts';
import { api } from '../server/api.ts';
import type { PayMethod } from './pay-method.ts';

type InvoiceState = DataOf<(typeof paymentCalls)['payment']>;

/** How a page pays an invoice: as its customer, or with the link of its email. */
export type InvoiceCalls = {
  /** Opens the payment by a method; with `card` pays it. */
  pay(
    by: { paymentMethod: PayMethod['method']; card?: string } & Partial<PayMethod['saved']>,
  ): Promise<InvoiceState>;
  ask(): Promise<InvoiceState>;
};

export const ownInvoice = (invoiceId: string): InvoiceCalls => ({
  pay: by => api.payment.payment({ body: { invoiceId, ...by } }),
  ask: () => api.payment.askInvoice({ body: { invoiceId } }),
});

/** @param token the link's: it pays this invoice alone, by a method that the payer brings */
export const linkedInvoice = (token: string): InvoiceCalls => ({
  pay: ({ paymentMethod, card }) =>
    api.payLink.pay({ body: { paymentMethod, ...(card && { card }) }, bearer: token }),
  ask: () => api.payLink.ask({ body: {}, bearer: token }),
});
