import { z } from 'zod';
import { type ProviderBooks, type ProviderStatement, sumsOf } from '../../ports/provider-books.ts';
import { type BtcpayClient, BtcpayRefusal } from './client.ts';
import { readPayment, readRefund, readRefunds, refundOfName } from './read.ts';
import { type BtcpayInvoice, invoiceShape, pullPaymentShape } from './shapes.ts';

const PAGE = 100;

/**
 * What BTCPay says of our money: coins at the rate of their invoice, and refunds that were paid. Its wallet knows coins
 * alone, so the balance is what these two make together.
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
    // One that was made on the page of an invoice is named after it.
    return {
      paymentRef: name.split(' ').at(-1)!,
      currency,
      amount,
      state: (await readRefund(client, pull)).state,
    };
  },
});

/** Invoices that coins came for, over all pages. */
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
