import { z } from 'zod';
import { type ProviderBooks, type ProviderStatement, sumsOf } from '../../ports/provider-books.ts';
import { type BtcpayClient, BtcpayRefusal } from './client.ts';
import { readPayment, readRefund, readRefunds, refundOfName } from './read.ts';
import { type BtcpayInvoice, invoiceShape, pullPaymentShape } from './shapes.ts';

const PAGE = 100;

/**
 * BTCPay's records: coins at the rate of their invoice, and paid refunds. Its wallet only knows
 * coins, so the balance is the sum of both.
 */
export const createBtcpayBooks = (client: BtcpayClient): ProviderBooks => ({
  provider: 'btcpay',
  methods: ['bitcoin'],

  async read(since) {
    const payments: ProviderStatement['payments'][number][] = [];
    for (const invoice of await paidInvoices(client, since)) {
      const { state, currency, received } = await readPayment(client, invoice);
      if (state !== 'succeeded') continue;
      payments.push({
        ref: invoice.id,
        attemptId: invoice.metadata.attemptId,
        currency,
        received,
        net: received,
      });
    }
    const refunds: ProviderStatement['refunds'][number][] = [];
    for (const pull of await readRefunds(client)) {
      const { ref, state } = await readRefund(client, pull);
      const { currency, amount, name } = pull;
      const net = state === 'succeeded' ? -amount : 0;
      refunds.push({ ref, refundId: refundOfName(name), currency, amount, state, net });
    }
    return { payments, refunds, disputes: [], balances: sumsOf([...payments, ...refunds]) };
  },

  async refund(ref) {
    const pull = await client.ask(pullPaymentShape, `pull-payments/${ref}`).catch((error: unknown) => {
      if (error instanceof BtcpayRefusal && error.status === 404) return undefined;
      throw error;
    });
    if (!pull) return undefined;
    const { name, currency, amount } = pull;
    // A refund made on the page of an invoice is named after it.
    return {
      paymentRef: name.split(' ').at(-1)!,
      currency,
      amount,
      state: (await readRefund(client, pull)).state,
    };
  },
});

/** Invoices with received coins, over all pages. */
async function paidInvoices({ askStore }: BtcpayClient, since: Date): Promise<BtcpayInvoice[]> {
  const startDate = Math.floor(since.getTime() / 1000);
  const all: BtcpayInvoice[] = [];
  for (let skip = 0; ; skip += PAGE) {
    const page = await askStore(
      z.array(invoiceShape),
      `invoices?startDate=${startDate}&take=${PAGE}&skip=${skip}`,
    );
    all.push(...page.filter(({ paidAmount }) => paidAmount > 0));
    if (page.length < PAGE) return all;
  }
}
