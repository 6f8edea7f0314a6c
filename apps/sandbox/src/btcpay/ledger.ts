import { satoshiOf, worthOf } from './amounts.ts';
import type { BtcpayState, Invoice, Payment } from './state.ts';

/** BTCPay's money records, oldest first. Amounts in the minor unit of the invoice's currency. */
export type BtcpayLedger = {
  invoices: {
    invoice: string;
    address: string;
    status: string;
    currency: string;
    price: number;
    /** Confirmed amount and pending amount, at the rate of the invoice's creation. */
    settled: number;
    pending: number;
    metadata: Record<string, unknown>;
  }[];
  refunds: {
    pullPayment: string;
    invoice: string;
    name: string;
    currency: string;
    amount: number;
    paid: number;
    archived: boolean;
  }[];
};

export function btcpayLedger(state: BtcpayState): BtcpayLedger {
  const worth = ({ payments, rate, price }: Invoice, status: Payment['status']) => {
    const satoshi = payments.reduce((sum, one) => (one.status === status ? sum + one.satoshi : sum), 0);
    // An exact payment is worth slightly more than the price, because it is rounded up to whole
    // satoshi.
    const rounding = satoshi - satoshiOf(price, rate);
    return rounding < 0 ? worthOf(satoshi, rate) : price + worthOf(rounding, rate);
  };
  return {
    invoices: state.invoices.all().map(invoice => ({
      invoice: invoice.id,
      address: invoice.address,
      status: invoice.status,
      currency: invoice.currency,
      price: invoice.price,
      settled: worth(invoice, 'Settled'),
      pending: worth(invoice, 'Processing'),
      metadata: invoice.metadata,
    })),
    refunds: state.pullPayments.all().map(({ id, payouts, ...pull }) => ({
      pullPayment: id,
      invoice: pull.invoice,
      name: pull.name,
      currency: pull.currency,
      amount: pull.amount,
      paid: payouts.reduce((sum, one) => (one.state === 'Completed' ? sum + one.amount : sum), 0),
      archived: pull.archived,
    })),
  };
}
