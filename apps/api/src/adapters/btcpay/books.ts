import { z } from 'zod';
import type {
  GatewayBooks,
  GatewayMovement,
  GatewayPayment,
  GatewayStatement,
  SaleKind,
} from '../../ports/gateway-books.ts';
import { type BtcpayClient, BtcpayRefusal } from './client.ts';
import { describedBy, readPayment, readRefund, readRefunds, refundOfName } from './read.ts';
import { type BtcpayInvoice, invoiceShape, pullPaymentShape } from './shapes.ts';

const PAGE = 100;

/**
 * BTCPay's records: coins at the rate of their invoice, and paid refunds. Its wallet only knows
 * coins, so it states no balance. It does not say when an invoice was settled.
 */
export const createBtcpayBooks = (client: BtcpayClient): GatewayBooks => ({
  provider: 'btcpay',
  methods: ['bitcoin'],

  payments: async since => ({ payments: await paymentsSince(client, since) }),

  async read(since, whole = false) {
    const movements: GatewayMovement[] = [];
    const moves = (kind: SaleKind, ref: string, currency: string, net: number) =>
      movements.push({ id: ref, kind, category: kind, of: ref, at: since, currency, net });
    const payments = await paymentsSince(client, since, whole);
    for (const { ref, currency, received } of payments) moves('payment', ref, currency, received);
    const refunds: GatewayStatement['refunds'][number][] = [];
    for (const pull of await readRefunds(client)) {
      const { ref, state } = await readRefund(client, pull);
      const { currency, amount, name } = pull;
      if (state === 'succeeded') moves('refund', pull.id, currency, -amount);
      refunds.push({ ref, refundId: refundOfName(name), currency, amount, state });
    }
    return {
      payments: payments.map(payment => ({ ...payment, net: payment.received })),
      refunds,
      disputes: [],
      movements,
    };
  },

  async refundsOf({ ref }) {
    const pulls = (await readRefunds(client)).filter(
      ({ name, description }) => name.split(' ').at(-1) === ref || description === describedBy(ref),
    );
    return Promise.all(
      pulls.map(async pull => {
        const { name, currency, amount } = pull;
        const { state } = await readRefund(client, pull);
        return { ref: pull.id, refundId: refundOfName(name), currency, amount, state };
      }),
    );
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

/**
 * Settled payments. One whose coins cannot be read hides no other, and is reported as what the list says of it.
 * @param exactly throw instead, because the sum counts
 */
async function paymentsSince(client: BtcpayClient, since: Date, exactly = false): Promise<GatewayPayment[]> {
  const payments: GatewayPayment[] = [];
  for (const invoice of await paidInvoices(client, since)) {
    const { id: ref, status, metadata, currency, paidAmount } = invoice;
    const of = { ref, attemptId: metadata.attemptId, currency };
    try {
      const { state, received } = await readPayment(client, invoice);
      if (state === 'succeeded') payments.push({ ...of, received });
    } catch (error) {
      if (exactly) throw error;
      if (status !== 'New' && status !== 'Processing')
        payments.push({ ...of, received: paidAmount, unread: true });
    }
  }
  return payments;
}

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
